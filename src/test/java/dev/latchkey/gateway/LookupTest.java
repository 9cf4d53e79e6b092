package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What a downstream's word on a key means.
class LookupTest {

    private static final JsonPointer FIRST = JsonPointer.compile("/data/0");
    private static final Lookup LOOKUP = new Lookup(
            "/payments?idempotency_key={downstream-key}", new Lookup.Rule(Set.of(200), FIRST, null),
            new Lookup.Shape(201, FIRST), new Lookup.Rule(Set.of(200), null, FIRST), Duration.ofMinutes(5));

    @Test
    void keyIsEncodedIntoTheTarget() {
        assertThat(LOOKUP.target("a b/ü", "k")).isEqualTo("/payments?idempotency_key=a%20b%2F%C3%BC");
        Lookup byKey = new Lookup("/x/{key}", LOOKUP.executed(), null, null, Duration.ZERO);
        assertThat(byKey.target(null, "order:1")).isEqualTo("/x/order%3A1");
    }

    @Test
    void whatIsThereWasExecutedAndIsRecordedAsItWasWritten() {
        Lookup.Meaning meaning = LOOKUP.read(answer(200, "{\"data\":[{\"amount\":25.50,\"id\":9007199254740993}]}"));
        assertThat(meaning).isInstanceOf(Lookup.Meaning.Executed.class);
        Lookup.Meaning.Executed executed = (Lookup.Meaning.Executed) meaning;
        assertThat(executed.status()).isEqualTo(201);
        assertThat(executed.body()).isEqualTo(Body.ofUtf8("{\"amount\":25.50,\"id\":9007199254740993}"));
    }

    @Test
    void whatIsMissingFromAJsonBodyWasNotExecuted() {
        assertThat(LOOKUP.read(answer(200, "{\"data\":[]}"))).isInstanceOf(Lookup.Meaning.NotExecuted.class);
        assertThat(LOOKUP.read(answer(200, "{\"data\":[null]}"))).isInstanceOf(Lookup.Meaning.NotExecuted.class);
    }

    @Test
    void nothingElseMeansAnything() {
        assertThat(LOOKUP.read(answer(200, "<html>"))).isEqualTo(new Lookup.Meaning.Nothing("unknown-answer"));
        assertThat(LOOKUP.read(answer(200, ""))).isEqualTo(new Lookup.Meaning.Nothing("unknown-answer"));
        assertThat(LOOKUP.read(answer(200, "{} {}"))).isEqualTo(new Lookup.Meaning.Nothing("unknown-answer"));
        assertThat(LOOKUP.read(answer(404, "{}"))).isEqualTo(new Lookup.Meaning.Nothing("unknown-answer"));
        assertThat(LOOKUP.read(answer(500, "{\"data\":[1]}"))).isEqualTo(new Lookup.Meaning.Nothing("unknown-answer"));
        assertThat(LOOKUP.read(new Outcome.Unknown(Cause.TIMEOUT))).isEqualTo(new Lookup.Meaning.Nothing("no-answer"));
        assertThat(LOOKUP.read(new Outcome.NotSent("refused"))).isEqualTo(new Lookup.Meaning.Nothing("no-answer"));
        assertThat(LOOKUP.read(new Outcome.Answered(200, Headers.empty(), null, true)))
                .isEqualTo(new Lookup.Meaning.Nothing("unknown-answer"));
    }

    @Test
    void contradictionMeansNothing() {
        Lookup both = new Lookup(
                "/{key}", new Lookup.Rule(Set.of(200), JsonPointer.compile("/a"), null), null,
                new Lookup.Rule(Set.of(200), null, JsonPointer.compile("/b")), Duration.ZERO);
        assertThat(both.read(answer(200, "{\"a\":1}"))).isEqualTo(new Lookup.Meaning.Nothing("contradiction"));
    }

    @Test
    void executedWithoutAShapeIsGone() {
        Lookup bare = new Lookup("/{key}", new Lookup.Rule(Set.of(200), null, null), null, null, Duration.ZERO);
        Lookup.Meaning meaning = bare.read(answer(200, "ok"));
        assertThat(meaning).isEqualTo(new Lookup.Meaning.Executed(null, Headers.empty(), null));
    }

    private static Outcome answer(int status, String body) {
        return new Outcome.Answered(status, Headers.empty(), Body.ofUtf8(body), true);
    }
}

package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.gateway.Answer;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class AnswerWriterTest {

    private static final EntryId ENTRY = new EntryId(new UUID(1, 2));
    private static final AnswerWriter.Marks KEYED =
            new AnswerWriter.Marks(true, IdempotencyKey.of("a \"b\""), Duration.ofSeconds(3));

    private final AnswerWriter writer = new AnswerWriter();

    private static Refusal refusal(int status, Duration after) {
        return new Refusal(
                Problem.OUTCOME_UNKNOWN, status, "detail", State.IN_DOUBT, Refusal.Forwarded.MAYBE, true, false, after,
                ENTRY,
                List.of("body"), Instant.parse("2026-01-04T10:00:00Z"), 201, Cause.TIMEOUT);
    }

    private static JsonNode json(Reply reply) throws IOException {
        return new ObjectMapper().readTree(reply.body().bytes());
    }

    @Test
    void aRefusalSaysAllThatIsKnown() throws IOException {
        Reply reply = writer.reply(new Answer.Refused(refusal(504, Duration.ofMillis(1))), KEYED, "urn:uuid:x");
        assertThat(reply.status()).isEqualTo(504);
        assertThat(json(reply).toString())
                .isEqualTo(
                        "{\"type\":\"/problems/outcome-unknown\",\"title\":\"Nobody can know whether the effect happened\","
                                + "\"status\":504,\"detail\":\"detail\",\"instance\":\"urn:uuid:x\",\"state\":\"in-doubt\","
                                + "\"forwarded\":\"maybe\",\"retry_same_key\":true,\"new_key_safe\":false,\"differs\":[\"body\"],"
                                + "\"first_seen\":\"2026-01-04T10:00:00Z\",\"cause\":\"timeout\"}");
        assertThat(reply.headers().first("Idempotency-Key")).hasValue("\"a \\\"b\\\"\"");
        assertThat(reply.headers().first("Idempotency-State")).hasValue("in-doubt");
        assertThat(reply.headers().first("Preference-Applied")).hasValue("wait=3");
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "999, 1", "1000, 1", "1001, 2", "30000, 30", "0, 1"})
    void retryAfterIsWholeSecondsAndNeverZero(long millis, String seconds) {
        Reply reply = writer.reply(
                new Answer.Refused(refusal(409, Duration.ofMillis(millis))), AnswerWriter.Marks.NONE, "i");
        assertThat(reply.headers().first("Retry-After")).hasValue(seconds);
    }

    @ParameterizedTest
    @CsvSource({"409, true", "504, true", "502, false"})
    void whereAnEntryCanBeLookedAtItIsNamed(int status, boolean named) {
        Reply reply = writer.reply(new Answer.Refused(refusal(status, Duration.ZERO)), AnswerWriter.Marks.NONE, "i");
        assertThat(reply.headers().first("Location").equals(java.util.Optional.of("/v1/entries/" + ENTRY)))
                .isEqualTo(named);
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemHasItsMembersAndItsPage(Problem problem) throws IOException {
        Reply reply = writer.reply(new Answer.Refused(Refusal.of(problem, "d")), AnswerWriter.Marks.NONE, "i");
        assertThat(reply.status()).isEqualTo(problem.status());
        for (String member : List.of(
                "type", "title", "status", "detail", "instance", "state", "forwarded", "retry_same_key",
                "new_key_safe")) {
            assertThat(json(reply).has(member)).as(member).isTrue();
        }
        ProblemText text = ProblemText.of(problem);
        assertThat(List.of(text.happened(), text.effect(), text.todo(), text.operator()))
                .allMatch(part -> part.endsWith("."));
    }

    @Test
    void aGoneResponseSaysItsStatusEvenWhereNobodyKnowsIt() throws IOException {
        Reply reply = writer.reply(
                new Answer.Refused(Refusal.of(Problem.RESPONSE_GONE, "d")), AnswerWriter.Marks.NONE, "i");
        assertThat(json(reply).get("recorded_status").isNull()).isTrue();
    }
}

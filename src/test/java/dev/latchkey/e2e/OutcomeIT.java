package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.Step;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

/// Contract §5 and §6: whatever the downstream does, it is sent one request, the entry says what is known, and a repeat is
/// told so, by this replica and by another that remembers nothing.
@EndToEnd
final class OutcomeIT {

    private final World world;
    private final Replica gateway;
    private final RawDownstream downstream;

    OutcomeIT(World world) {
        this.world = world;
        gateway = world.gateway();
        downstream = world.downstream();
    }

    static final List<Arguments> RECORDED = List.of(
            Arguments.of("200", Step.json(200, "{\"ok\":true}"), 200),
            Arguments.of("204", Step.reply(204), 204),
            Arguments.of("303", Step.reply(303).header("Location", "/see"), 303),
            Arguments.of("307", Step.reply(307).header("Location", "/again"), 307),
            Arguments.of("400", Step.json(400, "{}"), 400),
            Arguments.of("402", Step.json(402, "{}"), 402),
            Arguments.of("403", Step.json(403, "{}"), 403),
            Arguments.of("404", Step.json(404, "{}"), 404),
            Arguments.of("409", Step.json(409, "{}"), 409),
            Arguments.of("410", Step.json(410, "{}"), 410),
            Arguments.of("413", Step.json(413, "{}"), 413),
            Arguments.of("422", Step.json(422, "{}"), 422),
            Arguments.of("431", Step.json(431, "{}"), 431),
            Arguments.of(
                    "1xx passed over",
                    Step.raw("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
                            + "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok"),
                    201),
            Arguments.of(
                    "ended by an announced close",
                    Step.rawThenClose("HTTP/1.1 201 Created\r\nConnection: close\r\n\r\nuntil the end"),
                    201),
            Arguments.of("HTTP/1.0", Step.rawThenClose("HTTP/1.0 201 Created\r\n\r\nuntil the end"), 201));

    @ParameterizedTest(name = "{0}")
    @FieldSource("RECORDED")
    void completeResponseIsRecordedAndReplayed(String name, Step step, int status) {
        Call call = call("/payments", step);
        Response first = Expect.fresh(call.by(gateway), status);
        for (Replica replica : List.of(gateway, world.secondReplica())) {
            Response again = Expect.replayed(call.by(replica), status);
            assertThat(again.asByteArray()).isEqualTo(first.asByteArray());
            assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        }
        assertThat(call.received()).hasSize(1);
        assertThat(call.state()).isEqualTo("recorded");
    }

    static final List<Arguments> RELEASED = List.of(
            Arguments.of("401", Step.reply(401).header("WWW-Authenticate", "Basic realm=\"downstream\""), 401),
            Arguments.of("407", Step.reply(407).header("Proxy-Authenticate", "Basic realm=\"x\""), 407),
            Arguments.of("425", Step.reply(425), 425),
            Arguments.of("429", Step.json(429, "{}").header("Retry-After", "7"), 429));

    @ParameterizedTest(name = "{0}")
    @FieldSource("RELEASED")
    void refusalThatActedOnNothingFreesTheKey(String name, Step step, int status) {
        Call call = call("/payments", step);
        Response first = Expect.passed(call.by(gateway), status, "released");
        if (status == 429) {
            assertThat(first.header("Retry-After")).isEqualTo("7");
        }
        assertThat(call.received()).hasSize(1);
        assertThat(call.state()).isEqualTo("released");
        Expect.fresh(call.by(world.secondReplica()), 201);
        Expect.replayed(call.by(gateway), 201);
        assertThat(call.received()).hasSize(2).extracting(Received::key).containsOnly(call.received().getFirst().key());
    }

    static final List<Arguments> ANSWERED_IN_DOUBT = List.of(
            Arguments.of("500", Step.json(500, "{\"trace\":\"downstream's own\"}"), 500),
            Arguments.of("502", Step.json(502, "{}"), 502),
            Arguments.of("503 that says now", Step.reply(503).header("Retry-After", "0"), 503),
            Arguments.of("501", Step.reply(501), 501),
            Arguments.of("504", Step.reply(504), 504),
            Arguments.of("408 after the whole request", Step.reply(408), 408));

    @ParameterizedTest(name = "{0}")
    @FieldSource("ANSWERED_IN_DOUBT")
    void answerThatSettlesNothingComesThroughAndLeavesTheKeyInDoubt(String name, Step step, int status) {
        Call call = call("/payments", step);
        Response first = Expect.passed(call.by(gateway), status, "in-doubt");
        if (status == 503) {
            assertThat(first.header("Retry-After")).isEqualTo("0");
        }
        holdsInDoubt(call);
    }

    static final List<Arguments> BROKEN = List.of(
            Arguments.of("closed", Step.close()),
            Arguments.of("reset", Step.reset()),
            Arguments.of("truncated", Step.truncated()),
            Arguments.of("reset in the body", Step.rawThenReset("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")),
            Arguments.of("closed in the head", Step.rawThenClose("HTTP/1.1 200 OK\r\nContent-Le")),
            Arguments.of("closed between chunks", Step.rawThenClose(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n")),
            Arguments.of("ended by an unannounced close", Step.rawThenClose("HTTP/1.1 200 OK\r\n\r\nuntil the end")),
            Arguments.of("two lengths", Step.rawThenClose(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!")),
            Arguments.of("negative length", Step.rawThenClose("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n")),
            Arguments.of("length beside chunked", Step.rawThenClose(
                    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n")),
            Arguments.of("rubbish", Step.rawThenClose("rubbish\r\n\r\n")));

    @ParameterizedTest(name = "{0}")
    @FieldSource("BROKEN")
    void brokenConnectionLeavesTheKeyInDoubt(String name, Step step) {
        Call call = call("/payments", step);
        Response first = call.by(gateway);
        JsonPath problem = Expect.refused(first, 502, "outcome-unknown");
        assertThat(problem.getString("state")).isEqualTo("in-doubt");
        assertThat(problem.getString("forwarded")).isEqualTo("maybe");
        assertThat(problem.getBoolean("retry_same_key")).isFalse();
        assertThat(problem.getBoolean("new_key_safe")).isFalse();
        assertThat(first.header("Retry-After")).isNull();
        assertThat(first.header("Idempotency-State")).isEqualTo("in-doubt");
        assertThat(first.header("Idempotent-Replayed")).isEqualTo("false");
        holdsInDoubt(call);
    }

    @Test
    void hangIsToldAtTheTimeoutAndEndsInDoubt() {
        Call call = call("/quick", Step.hang());
        Response first = call.by(gateway);
        JsonPath problem = Expect.refusedForNow(first, 504, "outcome-unknown");
        assertThat(problem.getString("state")).isEqualTo("claimed");
        assertThat(first.header("Idempotency-State")).isEqualTo("claimed");
        assertThat(first.header("Location")).startsWith("/v1/entries/");
        await().until(() -> call.state().equals("in-doubt"));
        holdsInDoubt(call);
    }

    @Test
    void responseThatComesAfterTheTimeoutIsRecordedAndReplayed() {
        Gate gate = new Gate();
        Call call = call("/quick", gate.before(Step.json(201, "{\"late\":true}")));
        Expect.refused(call.by(gateway), 504, "outcome-unknown");
        gate.open();
        await().until(() -> call.state().equals("recorded"));
        Response again = Expect.replayed(call.by(world.secondReplica()), 201);
        assertThat(again.jsonPath().getBoolean("late")).isTrue();
        assertThat(call.received()).hasSize(1);
    }

    @Test
    void callThatWasProvablyNotSentFreesTheKey() {
        String key = Canary.key();
        for (Replica replica : List.of(gateway, world.secondReplica())) {
            Response answer = replica.keyed(ALICE, key).body("{}").post("/nobody/home");
            JsonPath problem = Expect.refusedForNow(answer, 502, "not-forwarded");
            assertThat(problem.getString("state")).isEqualTo("released");
            assertThat(problem.getString("forwarded")).isEqualTo("no");
            assertThat(answer.header("Idempotency-State")).isEqualTo("released");
        }
    }

    @Test
    void routeMayMoveStatuses() {
        Call released = call("/moved", Step.reply(503).header("Retry-After", "1"));
        Expect.passed(released.by(gateway), 503, "released");
        Expect.fresh(released.by(gateway), 201);
        Call doubtful = call("/moved", Step.json(404, "{}"));
        Expect.passed(doubtful.by(gateway), 404, "in-doubt");
        Expect.refused(doubtful.by(gateway), 409, "outcome-unknown");
    }

    @ParameterizedTest
    @CsvSource({"/moved, 401", "/moved, 408", "/moved, 429", "/moved, 500", "/moved, 502", "/moved, 504", "/moved, 507",
        "/resend, 503"})
    void statusMovedToRecordedIsReplayedAndIsNoRejection(String prefix, int status) {
        Call call = call(prefix, Step.json(status, "{\"kept\":true}"));
        Response first = Expect.fresh(call.by(gateway), status);
        assertThat(first.header("Idempotency-Expires")).isNotNull();
        Response again = Expect.replayed(call.by(gateway), status);
        assertThat(again.asString()).isEqualTo("{\"kept\":true}");
        Response changed =
                gateway.keyed(ALICE, call.key()).body("{\"changed\":1}").post(prefix + call.path());
        Expect.refused(changed, 422, "key-reused");
        assertThat(call.received()).hasSize(1);
    }

    @Test
    void plainForwardsAreNeverRepeatedEither() {
        for (Step step : new Step[] {
            Step.close(), Step.reset(), Step.reply(503).header("Retry-After", "0"),
            Step.reply(307).header("Location", "/x")
        }) {
            String path = "/once-" + Canary.key().hashCode();
            downstream.at("/optional" + path, step);
            gateway.as(ALICE).get("/optional" + path);
            assertThat(downstream.receivedAt("/optional" + path)).hasSize(1);
        }
    }

    @Test
    void connectionThatTheDownstreamClosedSilentlyCostsNoEffectTwice() {
        for (int i = 0; i < 5; i++) {
            Call call = call("/payments", Step.json(201, "{}").thenClose());
            call.by(gateway);
            assertThat(call.received()).hasSizeLessThanOrEqualTo(1);
        }
    }

    private void holdsInDoubt(Call call) {
        assertThat(call.received()).hasSize(1);
        assertThat(call.state()).isEqualTo("in-doubt");
        for (Replica replica : List.of(gateway, world.secondReplica())) {
            Response again = call.by(replica);
            JsonPath problem = Expect.refused(again, 409, "outcome-unknown");
            assertThat(problem.getString("state")).isEqualTo("in-doubt");
            assertThat(problem.getBoolean("retry_same_key")).isFalse();
            assertThat(again.header("Retry-After")).isNull();
            assertThat(again.header("Location")).startsWith("/v1/entries/");
            assertThat(again.header("Idempotency-State")).isEqualTo("in-doubt");
        }
        assertThat(call.received()).hasSize(1);
    }

    private Call call(String prefix, Step... steps) {
        String path = "/outcome-" + Canary.key().substring(Canary.MARK.length() + 5);
        String below = (prefix.equals("/payments") ? "/pay" : prefix) + path;
        downstream.at(below, Stream.of(steps).toArray(Step[]::new));
        return new Call(Canary.key(), prefix, path, below);
    }

    /// One request under one key, made again and again.
    private final class Call {

        private final String key;
        private final String prefix;
        private final String path;
        private final String below;

        Call(String key, String prefix, String path, String below) {
            this.key = key;
            this.prefix = prefix;
            this.path = path;
            this.below = below;
        }

        String key() {
            return key;
        }

        String path() {
            return path;
        }

        Response by(Replica replica) {
            return replica.keyed(ALICE, key)
                    .header("Prefer", "wait=10")
                    .body("{\"note\":\"canary-body\"}")
                    .post(prefix + path);
        }

        List<Received> received() {
            return downstream.receivedAt(below);
        }

        String state() {
            return gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("state");
        }
    }
}

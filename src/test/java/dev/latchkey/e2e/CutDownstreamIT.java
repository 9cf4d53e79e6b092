package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Cut;
import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.Ending;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.Spot;
import dev.latchkey.testing.Step;
import dev.latchkey.testing.Way;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The network between gateway and downstream breaks: wherever it does, the downstream is reached once at most, and the
/// entry says what can be known.
@EndToEnd
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class CutDownstreamIT {

    private static final String END = "canary-body-end";
    private static final String LONG_BODY = "{\"note\":\"" + "x".repeat(100_000) + END + "\"}";
    private static final String RESPONSE = "{\"id\":\"" + "y".repeat(1_000) + "\",\"last\":\"last\"}";

    private final RawDownstream downstream;
    private final CuttingProxy proxy;
    private final Replica gateway;

    CutDownstreamIT(World world) {
        downstream = world.downstream();
        proxy = CuttingProxy.to(downstream.port());
        gateway = world.start(Settings.of(world.ledger(), proxy.url(), proxy.url()));
    }

    @AfterEach
    void mend() {
        proxy.mend();
    }

    @AfterAll
    void close() {
        gateway.close();
        proxy.close();
    }

    /// @param way in which it is cut
    /// @param spot where
    /// @param effects how many requests reach the downstream
    private record Break(String name, Way way, Spot spot, int effects) {}

    private static final List<Break> BREAKS = List.of(
            new Break("before the request's first byte", Way.REQUEST, Spot.after(0), 0),
            new Break("within the request's head", Way.REQUEST, Spot.after(30), 0),
            new Break("within the request's body", Way.REQUEST, Spot.after(50_000), 0),
            new Break("before the request's last bytes", Way.REQUEST, Spot.before(END), 0),
            new Break("before the response's first byte", Way.ANSWER, Spot.after(0), 1),
            new Break("within the response's head", Way.ANSWER, Spot.after(20), 1),
            new Break("after the response's head", Way.ANSWER, Spot.past("\r\n\r\n"), 1),
            new Break("within the response's body", Way.ANSWER, Spot.before("\"last\"}"), 1));

    static Stream<Arguments> everyBreak() {
        return BREAKS.stream().flatMap(it -> Stream.of(Ending.RESET, Ending.FIN).map(how -> Arguments.of(
                it.name, how, it.way, it.spot, it.effects)));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @MethodSource("everyBreak")
    void brokenConnectionLeavesTheKeyInDoubt(String name, Ending how, Way way, Spot spot, int effects)
            throws InterruptedException {
        Call call = new Call("/payments", "/pay");
        Cut cut = call.cut(way, spot, how);

        Response first = call.make();

        cut.awaitStruck();
        refusedInDoubt(first);
        assertThat(call.entry().getString("cause")).isIn("connection-lost", "malformed-response");
        call.holdsInDoubt(effects);
    }

    /// The cut may be seen before the first byte leaves, which proves that nothing was sent, or after it.
    @ParameterizedTest
    @EnumSource(names = {"RESET", "FIN"})
    void connectionThatIsCutAsSoonAsItIsMadeIsNotReplaced(Ending how) throws InterruptedException {
        Call call = new Call("/payments", "/pay");
        // What idles from before would be taken, and would not be a new one.
        proxy.cutAll();
        Cut cut = Cut.ofRequest("", Spot.after(0), how);
        proxy.with(cut);

        Response first = call.make();

        cut.awaitStruck();
        assertThat(call.received()).isEmpty();
        if (call.entry().getString("state").equals("released")) {
            Expect.refusedForNow(first, 502, "not-forwarded");
            Expect.fresh(call.make(), 201);
        } else {
            refusedInDoubt(first);
            call.holdsInDoubt(0);
        }
    }

    /// Whether the last bytes outrun the reset, nobody can know: the gateway does not pretend to.
    @ParameterizedTest
    @EnumSource(names = {"RESET", "FIN"})
    void connectionThatIsCutAfterTheRequestIsInDoubt(Ending how) throws InterruptedException {
        Call call = new Call("/payments", "/pay");
        Cut cut = call.cut(Way.REQUEST, Spot.past(END + "\"}"), how);

        Response first = call.make();

        cut.awaitStruck();
        refusedInDoubt(first);
        call.holdsInDoubt(how == Ending.FIN ? 1 : call.received().size());
    }

    @Test
    void connectionThatIsClosedAfterTheResponseChangesNothing() throws InterruptedException {
        Call call = new Call("/payments", "/pay");
        Cut cut = call.cut(Way.ANSWER, Spot.past("\"last\"}"), Ending.FIN);

        Response first = call.make();

        cut.awaitStruck();
        assertThat(Expect.fresh(first, 201).asString()).isEqualTo(RESPONSE);
        assertThat(Expect.replayed(call.make(), 201).asString()).isEqualTo(RESPONSE);
        assertThat(call.received()).hasSize(1);
    }

    @Test
    void refusedConnectionFreesTheKey() {
        Call call = new Call("/payments", "/pay");
        proxy.refuse();

        Response first;
        try {
            first = call.make();
        } finally {
            proxy.serve();
        }

        JsonPath problem = Expect.refusedForNow(first, 502, "not-forwarded");
        assertThat(problem.getString("state")).isEqualTo("released");
        assertThat(problem.getString("forwarded")).isEqualTo("no");
        assertThat(call.entry().getString("state")).isEqualTo("released");
        Expect.fresh(call.make(), 201);
        Expect.replayed(call.make(), 201);
        assertThat(call.received()).hasSize(1);
    }

    /// One after the other they would take their timeouts one after the other.
    @Test
    void halfOpenConnectionIsToldAtTheTimeoutAndEndsInDoubt() throws Exception {
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> lostRequest = calls.submit(() -> halfOpen(Way.REQUEST, Spot.after(0), Ending.SILENCE, 0));
            Future<?> lostEnd = calls.submit(() -> halfOpen(Way.REQUEST, Spot.before(END), Ending.SILENCE, 0));
            Future<?> lostAnswer = calls.submit(() -> halfOpen(Way.ANSWER, Spot.after(0), Ending.SILENCE, 1));
            Future<?> lostRest = calls.submit(() -> halfOpen(Way.ANSWER, Spot.after(40), Ending.SILENCE, 1));
            Future<?> vanished = calls.submit(() -> halfOpen(Way.ANSWER, Spot.after(0), Ending.VANISHED, 1));
            for (Future<?> call : List.of(lostRequest, lostEnd, lostAnswer, lostRest, vanished)) {
                call.get();
            }
        }
    }

    private void halfOpen(Way way, Spot spot, Ending how, int effects) {
        Call call = new Call("/quick", "/quick");
        call.cut(way, spot, how);

        Response first = call.make();

        JsonPath problem = Expect.refusedForNow(first, 504, "outcome-unknown");
        assertThat(problem.getString("state")).isEqualTo("claimed");
        assertThat(problem.getString("forwarded")).isEqualTo("maybe");
        assertThat(problem.getBoolean("new_key_safe")).isFalse();
        assertThat(first.header("Location")).startsWith("/v1/entries/");
        await().until(() -> call.entry().getString("state").equals("in-doubt"));
        assertThat(call.entry().getString("cause")).isEqualTo("timeout");
        call.holdsInDoubt(effects);
    }

    @Test
    void responseThatASlowNetworkBringsAfterTheTimeoutIsRecorded() {
        Call call = new Call("/quick", "/quick");
        proxy.delay(Way.ANSWER, Duration.ofSeconds(3));

        Expect.refused(call.make(), 504, "outcome-unknown");

        await().until(() -> call.entry().getString("state").equals("recorded"));
        assertThat(Expect.replayed(call.make(), 201).asString()).isEqualTo(RESPONSE);
        assertThat(call.received()).hasSize(1);
    }

    @Test
    void slowNetworkOnlyCostsTime() {
        for (Way way : Way.values()) {
            proxy.delay(way, Duration.ofMillis(100));
        }
        for (int i = 0; i < 3; i++) {
            Call call = new Call("/payments", "/pay");
            assertThat(Expect.fresh(call.make(), 201).asString()).isEqualTo(RESPONSE);
            assertThat(Expect.replayed(call.make(), 201).asString()).isEqualTo(RESPONSE);
            assertThat(call.received()).hasSize(1).first().satisfies(
                    it -> assertThat(it.text()).isEqualTo(LONG_BODY));
        }
    }

    private static void refusedInDoubt(Response answer) {
        JsonPath problem = Expect.refused(answer, 502, "outcome-unknown");
        assertThat(problem.getString("state")).isEqualTo("in-doubt");
        assertThat(problem.getString("forwarded")).isEqualTo("maybe");
        assertThat(problem.getBoolean("retry_same_key")).isFalse();
        assertThat(problem.getBoolean("new_key_safe")).isFalse();
        assertThat(answer.header("Idempotency-State")).isEqualTo("in-doubt");
        assertThat(answer.header("Retry-After")).isNull();
    }

    /// One request under one key, made again and again, on a path of its own.
    private final class Call {

        private final String key = Canary.key();
        private final String path = "/cut-" + key.substring(Canary.MARK.length() + 5);
        private final String prefix;
        private final String below;

        Call(String prefix, String base) {
            this.prefix = prefix;
            this.below = base + path;
            downstream.at(below, Step.json(201, RESPONSE));
        }

        Cut cut(Way way, Spot spot, Ending how) {
            Cut cut = way == Way.REQUEST ? Cut.ofRequest(path, spot, how) : Cut.ofAnswer(path, spot, how);
            proxy.with(cut);
            return cut;
        }

        Response make() {
            return gateway.keyed(ALICE, key).body(LONG_BODY).post(prefix + path);
        }

        JsonPath entry() {
            return gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath();
        }

        List<Received> received() {
            return downstream.receivedAt(below);
        }

        void holdsInDoubt(int effects) {
            // A downstream on a busy machine may not have read yet what has reached it.
            await().until(() -> received().size() >= effects);
            assertThat(entry().getString("state")).isEqualTo("in-doubt");
            Response again = make();
            JsonPath problem = Expect.refused(again, 409, "outcome-unknown");
            assertThat(problem.getString("state")).isEqualTo("in-doubt");
            assertThat(problem.getBoolean("retry_same_key")).isFalse();
            assertThat(again.header("Location")).startsWith("/v1/entries/");
            assertThat(received()).hasSize(effects);
        }
    }
}

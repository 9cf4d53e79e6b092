package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static dev.latchkey.e2e.Client.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Contract §14: everything has a bound, and past it a refusal.
@EndToEnd
final class LimitIT {

    private static final int MIB = 1 << 20;

    private final World world;
    private final Replica gateway;
    private final RawDownstream downstream;

    LimitIT(World world) {
        this.world = world;
        gateway = world.gateway();
        downstream = world.downstream();
    }

    @Test
    void bodyOfTheLimitIsTakenAndOneByteMoreIsNot() {
        Expect.fresh(gateway.keyed(ALICE, Canary.key()).body(new byte[MIB]).post("/payments/limit"), 201);
        Expect.refused(
                gateway.keyed(ALICE, Canary.key()).body(new byte[MIB + 1]).post("/payments/over"), 413,
                "body-too-large");
        assertThat(downstream.receivedAt("/pay/over")).isEmpty();
    }

    @Test
    void chunkedBodyOverTheLimitIsRefused() {
        try (RawCall call = RawCall.to(gateway)) {
            call.send(
                    "POST", "/payments/over", "Authorization: Bearer " + ALICE.token(),
                    "Idempotency-Key: " + Canary.key(),
                    "Transfer-Encoding: chunked");
            call.write("100001\r\n".getBytes(StandardCharsets.US_ASCII));
            call.write(new byte[MIB + 1]);
            Exchange answer = call.write("\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)).answer();
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.text()).contains("/problems/body-too-large");
        }
        assertThat(downstream.receivedAt("/pay/over")).isEmpty();
    }

    @Test
    void headerFieldsAndTargetOverTheLimitAreRefused() {
        String long17k = "x".repeat(17 << 10);
        Expect.refused(
                gateway.keyed(ALICE, Canary.key()).header("X-Long", long17k).post("/payments/too-long"),
                431, "header-fields-too-large");
        Expect.refused(
                gateway.keyed(ALICE, Canary.key()).post("/payments/too-long?q=" + long17k), 431,
                "header-fields-too-large");
        assertThat(downstream.receivedAt("/pay/too-long")).isEmpty();
    }

    @Test
    void responseOverTheCapComesWholeAndIsRecordedWithoutItsBody() {
        byte[] big = new byte[5 * MIB];
        java.util.Arrays.fill(big, (byte) 'b');
        downstream.at("/pay/big", Step.reply(201).header("Content-Type", "text/plain").body(big));
        String key = Canary.key();
        Response first = gateway.keyed(ALICE, key).body("{}").post("/payments/big");
        Expect.passed(first, 201, "claimed");
        assertThat(first.asByteArray()).isEqualTo(big);
        JsonPath problem =
                Expect.refused(gateway.keyed(ALICE, key).body("{}").post("/payments/big"), 410, "response-gone");
        assertThat(problem.getInt("recorded_status")).isEqualTo(201);
        assertThat(downstream.receivedAt("/pay/big")).hasSize(1);
    }

    @Test
    void callWithoutAPlaceIsRefusedUnlessItCanBeReplayed() throws Exception {
        String recorded = Canary.key();
        Expect.fresh(gateway.keyed(ALICE, recorded).body("{}").post("/lone/recorded"), 201);
        Gate gate = new Gate();
        downstream.at("/lone/busy", gate.before(Step.json(201, "{}")));
        String key = Canary.key();
        String late = Canary.key();
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> first = calls.submit(() -> gateway.keyed(ALICE, key).body("{}").post("/lone/busy"));
            gate.awaitReached();
            Expect.refusedForNow(gateway.keyed(ALICE, late).body("{}").post("/lone/late"), 503, "overloaded");
            Expect.refused(gateway.as(ALICE).header("Idempotency-Key", late).get("/v1/entry"), 404, "no-such-entry");
            Expect.replayed(gateway.keyed(ALICE, recorded).body("{}").post("/lone/recorded"), 201);
            gate.open();
            Expect.fresh(first.get(), 201);
        }
        await().until(() -> gateway.keyed(ALICE, late).body("{}").post("/lone/late").statusCode() == 201);
        assertThat(downstream.receivedAt("/lone/late")).hasSize(1);
    }

    @Test
    void clientHasABoundOfItsOwnAndSoHaveWaitingCalls() throws Exception {
        String key = Canary.key();
        String other = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/narrow", gate.before(Step.json(201, "{}")));
        try (Replica narrow = world.start("limits: { client-forwards: 1, waiting: 0 }\n" + world.settings());
                ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> first = calls.submit(() -> narrow.keyed(ALICE, key).body("{}").post("/payments/narrow"));
            gate.awaitReached();
            Expect.refusedForNow(narrow.keyed(ALICE, other).body("{}").post("/strict/narrow"), 429, "too-many-calls");
            Expect.fresh(narrow.keyed(BOB, other).body("{}").post("/strict/narrow"), 201);
            Expect.refusedForNow(narrow.keyed(ALICE, key).body("{}").post("/payments/narrow"), 503, "overloaded");
            gate.open();
            Expect.fresh(first.get(), 201);
        }
        assertThat(downstream.receivedAt("/pay/narrow")).hasSize(1);
        assertThat(downstream.receivedAt("/strict/narrow")).hasSize(1);
    }

    @Test
    void bodyThatComesTooSlowlyIsRefused() {
        String key = Canary.key();
        try (Replica hasty = world.start("limits: { caller-time: 300ms }\n" + world.settings());
                RawCall call = RawCall.to(hasty)) {
            call.send(
                    "POST", "/payments/dribble", "Authorization: Bearer " + ALICE.token(), "Idempotency-Key: " + key,
                    "Content-Length: 9999");
            await().pollInterval(Duration.ofMillis(100))
                    .until(() -> call.write(new byte[] {'x'}).isAnswered());
            Exchange answer = call.answer();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.text()).contains("/problems/request-too-slow");
            Expect.refused(hasty.as(ALICE).header("Idempotency-Key", key).get("/v1/entry"), 404, "no-such-entry");
        }
        assertThat(downstream.receivedAt("/pay/dribble")).isEmpty();
    }

    @Test
    void clientMakesNoMoreCallsASecondThanItMay() {
        String recorded = Canary.key();
        String settings = world.settings().replace(
                "token-sha256: " + ALICE.digest(), "calls-per-second: 3, token-sha256: " + ALICE.digest());
        try (Replica narrow = world.start("limits: { client-calls-per-second: 1 }\n" + settings)) {
            Expect.fresh(narrow.keyed(ALICE, recorded).body("{}").post("/payments/often"), 201);
            int made = untilTooMany(key -> narrow.keyed(ALICE, key).body("{}").post("/payments/often"), narrow);
            assertThat(downstream.receivedAt("/pay/often")).hasSize(1 + made);
            Expect.replayed(narrow.keyed(ALICE, recorded).body("{}").post("/payments/often"), 201);
            untilTooMany(key -> narrow.as(ALICE).get("/optional/often"), narrow);
            untilTooMany(key -> narrow.keyed(ALICE, key).body("{\"effect\":\"a\"}").post("/v1/claims"), narrow);
            // The usual bound, and each client's own.
            untilTooMany(key -> narrow.keyed(BOB, key).body("{}").post("/payments/often"), narrow);
        }
    }

    /// Calls under new keys until one is refused, and looks whether it left anything.
    ///
    /// @return how many were let through
    private static int untilTooMany(Function<String, Response> call, Replica gateway) {
        for (int made = 0; made < 200; made++) {
            String key = Canary.key();
            Response answer = call.apply(key);
            if (answer.statusCode() == 429) {
                JsonPath refused = Expect.refusedForNow(answer, 429, "too-many-calls");
                assertThat(refused.getString("detail")).contains("in this second");
                Expect.refused(
                        gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry"), 404, "no-such-entry");
                return made;
            }
            assertThat(answer.statusCode()).isEqualTo(201);
        }
        throw new AssertionError("never refused");
    }
}

package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import io.restassured.response.Response;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// A gateway or its caller goes away at the worst moment: no effect twice, and no key claimed beyond its lease.
@EndToEnd
final class CrashIT {

    private final World world;
    private final RawDownstream downstream;

    CrashIT(World world) {
        this.world = world;
        downstream = world.downstream();
    }

    @Test
    void gatewayKilledAmongManyCallsCausesNoEffectTwice() throws Exception {
        int calls = 60;
        Replica doomed = world.start(world.settings());
        List<String> keys = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < calls; i++) {
                String key = Canary.key();
                keys.add(key);
                callers.execute(() -> callAndMaybeDie(doomed, key));
            }
            await().until(() -> downstream.received(r -> r.path().startsWith("/quick/crash")).size() >= calls / 3);
            doomed.program().kill();
        }
        Replica restarted = world.start(world.settings());
        await().until(() -> keys.stream().noneMatch(key -> state(restarted, key).equals("claimed")));
        for (String key : keys) {
            String before = state(restarted, key);
            Exchange again = postUntilTaken(restarted, key);
            String replayed = again.headers().first("Idempotent-Replayed").orElse("");
            switch (before) {
                case "recorded" -> assertThat(again.status() + replayed).isEqualTo("201true");
                case "in-doubt" -> assertThat(again.status()).isEqualTo(409);
                default -> assertThat(again.status() + replayed).isEqualTo("201false");
            }
            assertThat(downstream.receivedAt(path(key))).hasSizeLessThanOrEqualTo(1);
        }
        restarted.close();
    }

    @Test
    void callerThatHangsUpCancelsNothing() throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/hung-up", gate.before(Step.json(201, "{\"done\":true}")));
        byte[] body = "{}".getBytes(StandardCharsets.US_ASCII);
        try (RawCall call = RawCall.to(world.gateway())) {
            call.send(
                    "POST", "/payments/hung-up", "Authorization: Bearer " + ALICE.token(),
                    "Idempotency-Key: " + key, "Content-Type: application/json", "Content-Length: 2")
                    .write(body);
            gate.awaitReached();
        }
        gate.open();
        await().until(() -> state(world.gateway(), key).equals("recorded"));
        Response again = world.gateway().keyed(ALICE, key).body("{}").post("/payments/hung-up");
        assertThat(Expect.replayed(again, 201).asString()).isEqualTo("{\"done\":true}");
        assertThat(downstream.receivedAt("/pay/hung-up")).hasSize(1);
    }

    @Test
    void drainFinishesWhatIsUnderWayAndRefusesTheRest() throws Exception {
        Replica leaving = world.start(world.settings());
        String key = Canary.key();
        String late = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/draining", gate.before(Step.json(201, "{}")));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> underWay =
                    calls.submit(() -> leaving.keyed(ALICE, key).body("{}").post("/payments/draining"));
            gate.awaitReached();
            assertThat(leaving.management().get("/health/ready").statusCode()).isEqualTo(200);
            leaving.program().terminate();
            await().until(() -> leaving.management().get("/health/ready").statusCode() == 503);
            await().until(() -> leaving.keyed(ALICE, late).body("{}").post("/payments/late").statusCode() == 503);
            Response refused = leaving.keyed(ALICE, late).body("{}").post("/payments/late");
            Expect.refusedForNow(refused, 503, "draining");
            assertThat(refused.header("Connection")).isEqualToIgnoringCase("close");
            gate.open();
            Expect.fresh(underWay.get(), 201);
        }
        assertThat(leaving.program().awaitExit()).isZero();
    }

    private static void callAndMaybeDie(Replica doomed, String key) {
        try {
            postUntilTaken(doomed, key);
        } catch (UncheckedIOException _) {
            // the gateway was killed under this call, which is what the test is about
        }
    }

    /// A gateway on a busy machine may say 503, which means: the same again.
    private static Exchange postUntilTaken(Replica replica, String key) {
        Exchange answer;
        do {
            answer = RawCall.post(replica, path(key), ALICE, key, new byte[0]);
        } while (answer.status() == 503);
        return answer;
    }

    private static String path(String key) {
        return "/quick/crash-" + Integer.toHexString(key.hashCode());
    }

    private static String state(Replica replica, String key) {
        Response entry = replica.as(ALICE).header("Idempotency-Key", key).get("/v1/entry");
        return entry.statusCode() == 404 ? "none" : String.valueOf(entry.jsonPath().getString("state"));
    }
}

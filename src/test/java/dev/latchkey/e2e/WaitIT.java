package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Contract §8: a call that finds its key claimed waits for the forward under way, on whichever replica that is.
@EndToEnd
final class WaitIT {

    private final World world;
    private final RawDownstream downstream;

    WaitIT(World world) {
        this.world = world;
        downstream = world.downstream();
    }

    @Test
    void callThatWillNotWaitIsToldThatTheFirstIsInProgress() throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/impatient", gate.before(Step.json(201, "{}")));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> first = calls.submit(() -> post(world.gateway(), key, "impatient", "wait=20"));
            gate.awaitReached();
            for (Replica replica : List.of(world.gateway(), world.secondReplica())) {
                for (int wait = 0; wait <= 1; wait++) {
                    Response told = post(replica, key, "impatient", "wait=" + wait);
                    JsonPath problem = Expect.refusedForNow(told, 409, "in-progress");
                    assertThat(problem.getString("state")).isEqualTo("claimed");
                    assertThat(problem.getString("forwarded")).isEqualTo("maybe");
                    assertThat(told.header("Preference-Applied")).isEqualTo("wait=" + wait);
                    assertThat(told.header("Location")).startsWith("/v1/entries/");
                    assertThat(told.header("Idempotency-State")).isEqualTo("claimed");
                    assertThat(told.header("Idempotent-Replayed")).isEqualTo("false");
                }
            }
            gate.open();
            Expect.fresh(first.get(), 201);
        }
        assertThat(downstream.receivedAt("/pay/impatient")).hasSize(1);
    }

    @Test
    void waitingCallsGetTheAnswerAsReplays() throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/patient", gate.before(Step.json(201, "{\"only\":1}")));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> first = calls.submit(() -> post(world.gateway(), key, "patient", null));
            gate.awaitReached();
            List<Future<Response>> waiting = new ArrayList<>();
            for (Replica replica : List.of(world.gateway(), world.secondReplica())) {
                waiting.add(calls.submit(() -> post(replica, key, "patient", "wait=1000")));
                waiting.add(calls.submit(() -> post(replica, key, "patient", null)));
                awaitWaiters(replica, 2);
            }
            gate.open();
            Expect.fresh(first.get(), 201);
            for (Future<Response> answer : waiting) {
                assertThat(Expect.replayed(answer.get(), 201).asString()).isEqualTo("{\"only\":1}");
            }
            assertThat(waiting.getFirst().get().header("Preference-Applied")).isEqualTo("wait=50");
        }
        assertThat(downstream.receivedAt("/pay/patient")).hasSize(1);
    }

    @Test
    void waitingCallsAreToldOfTheDoubt() throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/dedup/doubted", gate.before(Step.close()));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> first =
                    calls.submit(() -> world.gateway().keyed(ALICE, key).body("{}").post("/dedup/doubted"));
            gate.awaitReached();
            List<Future<Response>> waiting = new ArrayList<>();
            for (Replica replica : List.of(world.gateway(), world.secondReplica())) {
                waiting.add(calls.submit(() -> replica.keyed(ALICE, key).body("{}").post("/dedup/doubted")));
                awaitWaiters(replica, 1);
            }
            gate.open();
            Expect.refused(first.get(), 502, "outcome-unknown");
            for (Future<Response> answer : waiting) {
                Expect.refused(answer.get(), 409, "outcome-unknown");
            }
        }
        assertThat(downstream.receivedAt("/dedup/doubted")).hasSize(1);
    }

    @Test
    void waitingCallsOfTheReleasingReplicaGetItsAnswerAndOneElsewhereClaimsAnew() throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/freed", gate.before(Step.json(429, "{\"slow\":\"down\"}").header("Retry-After", "3")));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> first = calls.submit(() -> post(world.gateway(), key, "freed", null));
            gate.awaitReached();
            Future<Response> here = calls.submit(() -> post(world.gateway(), key, "freed", null));
            awaitWaiters(world.gateway(), 1);
            List<Future<Response>> elsewhere = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                elsewhere.add(calls.submit(() -> post(world.secondReplica(), key, "freed", null)));
            }
            awaitWaiters(world.secondReplica(), 3);
            gate.open();
            assertThat(first.get().statusCode()).isEqualTo(429);
            assertThat(here.get().statusCode()).isEqualTo(429);
            assertThat(here.get().asString()).isEqualTo("{\"slow\":\"down\"}");
            List<String> replayed = new ArrayList<>();
            for (Future<Response> answer : elsewhere) {
                assertThat(answer.get().statusCode()).isEqualTo(201);
                replayed.add(answer.get().header("Idempotent-Replayed"));
            }
            assertThat(replayed).containsExactlyInAnyOrder("false", "true", "true");
        }
        assertThat(downstream.receivedAt("/pay/freed")).hasSize(2);
    }

    @Test
    void preferenceThatCannotBeReadIsIgnored() {
        Response answer = post(world.gateway(), Canary.key(), "odd-preference", "wait=soon, respond-async");
        Expect.fresh(answer, 201);
    }

    private static void awaitWaiters(Replica replica, int count) {
        await().until(() -> Metrics.of(replica).sum("latchkey_calls_waiting") >= count);
    }

    private static Response post(
            Replica replica, String key, String path, @org.jspecify.annotations.Nullable String prefer) {
        var call = replica.keyed(ALICE, key).body("{}");
        return (prefer == null ? call : call.header("Prefer", prefer)).post("/payments/" + path);
    }
}

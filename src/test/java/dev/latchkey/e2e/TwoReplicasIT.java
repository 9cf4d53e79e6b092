package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.Step;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Two hundred calls with one key through two replicas on one ledger: one effect, one answer for all.
@EndToEnd
final class TwoReplicasIT {

    private static final int CALLS = 200;
    private static final int TRIES = 3;

    private final World world;

    TwoReplicasIT(World world) {
        this.world = world;
    }

    @Test
    void simultaneousCallsHaveOneEffectAndEqualAnswers() throws Exception {
        callAllAtOnce("simultaneous");
        assertThat(world.downstream().receivedAt("/pay/simultaneous")).hasSize(1);
    }

    @Test
    void callsThatAllWaitHaveOneEffectAndEqualAnswers() throws Exception {
        Gate gate = new Gate();
        world.downstream().at("/pay/all-wait", gate.before(Step.json(201, "{\"id\":\"only one\"}")));
        Thread opener = Thread.ofVirtual().start(() -> {
            try {
                gate.awaitReached();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            gate.open();
        });
        callAllAtOnce("all-wait");
        opener.join();
        assertThat(world.downstream().receivedAt("/pay/all-wait")).hasSize(1);
    }

    private void callAllAtOnce(String path) throws Exception {
        String key = Canary.key();
        byte[] body = "the same".getBytes(StandardCharsets.US_ASCII);
        List<Replica> replicas = List.of(world.gateway(), world.secondReplica());
        CountDownLatch go = new CountDownLatch(1);
        List<Future<Exchange>> answers = new ArrayList<>();
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLS; i++) {
                Replica replica = replicas.get(i % replicas.size());
                answers.add(calls.submit(() -> {
                    go.await();
                    return answer(replica, "/payments/" + path, key, body);
                }));
            }
            go.countDown();
        }
        List<Exchange> all = new ArrayList<>();
        for (Future<Exchange> answer : answers) {
            all.add(answer.get());
        }
        assertThat(all).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.body()).isEqualTo(all.getFirst().body());
        });
        assertThat(all.stream().filter(a -> a.headers().first("Idempotent-Replayed").orElse("").equals("true")))
                .hasSize(CALLS - 1);
    }

    /// Repeats a call that was refused for now, as callers do: on a machine that stands still the ledger does, too.
    private static Exchange answer(Replica replica, String path, String key, byte[] body) {
        Exchange answer = RawCall.post(replica, path, ALICE, key, body);
        for (int i = 1; answer.status() == 503 && i < TRIES; i++) {
            answer = RawCall.post(replica, path, ALICE, key, body);
        }
        return answer;
    }
}

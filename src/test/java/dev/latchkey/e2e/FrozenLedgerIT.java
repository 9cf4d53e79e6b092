package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Calm;
import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.PostgresNode;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import dev.latchkey.torture.Mix;
import dev.latchkey.torture.Told;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// PostgreSQL stands still under load, and nothing breaks: every call is answered in time, nothing piles up, and it goes on
/// by itself.
@Calm
@EndToEnd
final class FrozenLedgerIT {

    // The figures.
    private static final Duration AT_MOST = Duration.ofSeconds(10);
    private static final int MORE_THREADS = 20;
    private static final double MORE_HEAP = 1.10;

    private static final int CALLERS = 200;
    private static final int WARM = 300;
    /// How many of the calls that were sent are called again.
    private static final int SENT = 10;
    /// So long that those who call in its first seconds could wait too long.
    private static final Duration FROZEN = Duration.ofSeconds(13);

    private final RawDownstream downstream;

    FrozenLedgerIT(World world) {
        downstream = world.downstream();
    }

    @Test
    void ledgerMayStandStill(@TempDir Path folder) throws Exception {
        try (PostgresNode postgres = PostgresNode.alone(folder);
                CuttingProxy proxy = CuttingProxy.to(postgres.port());
                Trial trial = new Trial();
                // The stacks of what waits are larger under the other compiler, and they are what is measured.
                Replica gateway = Replica.start(
                        folder, settings(postgres, proxy, trial), Program.AS_USERS_DO)) {
            trial.start(List.of(gateway), mix(), 0, begun -> begun < WARM).end().get();
            freeze(trial, gateway, "stopped", postgres::freeze, postgres::thaw);
            freeze(trial, gateway, "silent", proxy::freeze, proxy::thaw);
            await().ignoreExceptions().until(() -> trial.endings(gateway).values().stream()
                    .noneMatch(ending -> ending.state().equals("in-doubt")));
            trial.audit(gateway);
        }
    }

    private String settings(PostgresNode postgres, CuttingProxy proxy, Trial trial) {
        String ledger = postgres.url("postgres").replace(":" + postgres.port() + "/", ":" + proxy.port() + "/");
        return Settings.of(Settings.ledger(ledger), downstream.url(), downstream.url())
                + Trial.route(trial.sandboxPort());
    }

    /// Many of its calls have been sent, and have no response yet, at any moment.
    private static Mix mix() {
        return Mix.calm().withCallers(CALLERS).withFaults(40, "delay=1s");
    }

    private void freeze(Trial trial, Replica gateway, String name, Runnable freeze, Runnable thaw) throws Exception {
        AtomicBoolean goesOn = new AtomicBoolean(true);
        try {
            String remembered = Canary.key();
            Expect.fresh(post(gateway, remembered, "/payments/remembered"), 201);
            Trial.Running load = trial.start(List.of(gateway), mix(), name.hashCode(), _ -> goesOn.get());
            await().until(() -> load.load().ended() > CALLERS / 4);
            Waiting waiting = waiting(gateway, name);
            int threads = threads(gateway);
            long heap = Heap.live(gateway);

            long frozen = System.nanoTime();
            freeze.run();
            try {
                waiting.response().countDown();
                watch(gateway, remembered, threads);
                assertThat(List.of(waiting.first(), waiting.second())).allMatch(CompletableFuture::isDone);
                Expect.passed(waiting.first().join(), 201, "in-doubt");
                Expect.refusedForNow(waiting.second().join(), 503, "ledger-unavailable");
                long heapNow = Heap.live(gateway);
                System.out.printf(
                        "%s: %d threads, then %d; %d bytes live, then %d%n", name, threads, threads(gateway), heap,
                        heapNow);
                assertThat(heapNow).as("live heap").isLessThan((long) (heap * MORE_HEAP));
            } finally {
                thaw.run();
            }
            long thawed = System.nanoTime();

            await().until(() -> post(gateway, Canary.key(), "/payments/after-the-freeze").statusCode() == 201);
            goesOn.set(false);
            load.end().get();
            List<Told> meanwhile =
                    trial.told().filter(it -> it.heard() > frozen && it.asked() < thawed).toList();
            assertThat(meanwhile.stream().filter(it -> isLate(it, frozen, thawed)).map(Told::kind)).isEmpty();
            assertThat(meanwhile).extracting(Told::kind).contains("503 ledger-unavailable", "202 in-doubt");
            List<Told> sent = meanwhile.stream().filter(it -> it.kind().equals("202 in-doubt")).toList();
            for (Told one : sent.subList(0, Math.min(SENT, sent.size()))) {
                await().untilAsserted(() -> assertThat(trial.again(gateway, one)).hasValueSatisfying(
                        again -> assertThat(again.kind() + again.body())
                                .isEqualTo("202 recorded replayed" + one.body())));
            }
        } finally {
            goesOn.set(false);
        }
    }

    /// Two calls with one key, and what lets the downstream answer the first of them.
    private record Waiting(CountDownLatch response, CompletableFuture<Response> first,
            CompletableFuture<Response> second) {}

    private Waiting waiting(Replica gateway, String name) {
        CountDownLatch response = new CountDownLatch(1);
        String path = "/waited-for-while-" + name;
        downstream.always("/pay" + path, (request, wire) -> {
            response.await();
            Step.reply(201).play(request, wire);
        });
        String key = Canary.key();
        CompletableFuture<Response> first = CompletableFuture.supplyAsync(
                () -> post(gateway, key, "/payments" + path), Thread::startVirtualThread);
        await().until(() -> !downstream.receivedAt("/pay" + path).isEmpty());
        CompletableFuture<Response> second = CompletableFuture.supplyAsync(
                () -> gateway.keyed(ALICE, key).header("Prefer", "wait=50").body("{}").post("/payments" + path),
                Thread::startVirtualThread);
        return new Waiting(response, first, second);
    }

    private static void watch(Replica gateway, String remembered, int threadsBefore) {
        long end = System.nanoTime() + FROZEN.toNanos();
        while (System.nanoTime() < end) {
            Expect.refusedForNow(post(gateway, Canary.key(), "/payments/first"), 503, "ledger-unavailable");
            Expect.replayed(post(gateway, remembered, "/payments/remembered"), 201);
            assertThat(threads(gateway)).as("threads").isLessThanOrEqualTo(threadsBefore + MORE_THREADS);
        }
    }

    /// Whether its caller waited too long for an answer, as long as the ledger stood still.
    private static boolean isLate(Told told, long frozen, long thawed) {
        long waited = Math.min(told.heard(), thawed) - Math.max(told.asked(), frozen);
        return waited > AT_MOST.toNanos();
    }

    private static Response post(Replica gateway, String key, String path) {
        return gateway.keyed(ALICE, key).body("{}").post(path);
    }

    private static int threads(Replica gateway) {
        return (int) Metrics.of(gateway).sum("jvm_threads_live_threads");
    }
}

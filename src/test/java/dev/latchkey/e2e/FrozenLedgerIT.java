package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.PostgresNode;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import dev.latchkey.torture.Mix;
import dev.latchkey.torture.Told;
import io.restassured.response.Response;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// PostgreSQL stands still under load, and nothing breaks: every call is answered in time, nothing piles up, and it goes on
/// by itself.
@EndToEnd
final class FrozenLedgerIT {

    // The figures.
    private static final Duration AT_MOST = Duration.ofSeconds(10);
    private static final int MORE_THREADS = 20;
    private static final double MORE_HEAP = 1.10;

    private static final int CALLERS = 200;
    private static final int WARM = 300;
    private static final int SENT = 10;
    /// Longer than the socket's timeout and whatever is tried after it.
    private static final Duration FROZEN = Duration.ofSeconds(10);

    private final RawDownstream downstream;

    FrozenLedgerIT(World world) {
        downstream = world.downstream();
    }

    @Test
    void ledgerMayStandStill(@TempDir Path folder) throws Exception {
        try (PostgresNode postgres = PostgresNode.alone(folder);
                CuttingProxy proxy = CuttingProxy.to(postgres.port());
                Trial trial = new Trial();
                Replica gateway = Replica.start(folder, settings(postgres, proxy, trial))) {
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
                + Trial.route(trial.sandboxPort()) + Settings.route("sent", downstream.url() + "/sent", "12s");
    }

    private static Mix mix() {
        return Mix.calm().withCallers(CALLERS);
    }

    private void freeze(Trial trial, Replica gateway, String name, Runnable freeze, Runnable thaw) throws Exception {
        AtomicBoolean goesOn = new AtomicBoolean(true);
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            String remembered = Canary.key();
            Expect.fresh(post(gateway, remembered, "/payments/remembered"), 201);
            List<Sent> sent = sent(gateway, name, calls);
            Trial.Running load = trial.start(List.of(gateway), mix(), name.hashCode(), _ -> goesOn.get());
            await().until(() -> load.load().ended() > CALLERS / 4);
            int threads = threads(gateway);
            long heap = liveHeap(gateway);

            long frozen = System.nanoTime();
            freeze.run();
            try {
                sent.forEach(it -> it.gate.open());
                watch(gateway, remembered, threads);
                for (Sent one : sent) {
                    assertThat(Expect.passed(one.answer.get(), 201, "in-doubt").asString()).isEqualTo(one.response);
                }
                long heapNow = liveHeap(gateway);
                System.out.printf(
                        "%s: %d threads, then %d; %d bytes live, then %d%n", name, threads, threads(gateway), heap,
                        heapNow);
                assertThat(heapNow).as("live heap").isLessThan((long) (heap * MORE_HEAP));
            } finally {
                thaw.run();
            }
            long thawed = System.nanoTime();

            await().until(() -> post(gateway, Canary.key(), "/payments/after").statusCode() == 201);
            goesOn.set(false);
            load.end().get();
            assertThat(trial.told()).filteredOn(it -> it.heard() > frozen && it.asked() < thawed)
                    .hasSizeGreaterThan(CALLERS)
                    .allSatisfy(it -> assertThat(Duration.ofNanos(it.heard() - Math.max(it.asked(), frozen)))
                            .as(it.kind()).isLessThan(AT_MOST))
                    .extracting(Told::kind).contains("503 ledger-unavailable");
            for (Sent one : sent) {
                await().until(() -> post(gateway, one.key, one.path).statusCode() == 201);
                assertThat(Expect.replayed(post(gateway, one.key, one.path), 201).asString()).isEqualTo(one.response);
                assertThat(downstream.receivedAt(one.path)).hasSize(1);
            }
        } finally {
            goesOn.set(false);
        }
    }

    /// A call that the downstream has got and not answered yet.
    private record Sent(String key, String path, String response, Gate gate, Future<Response> answer) {}

    private List<Sent> sent(Replica gateway, String name, ExecutorService calls) throws InterruptedException {
        List<Sent> all = new ArrayList<>();
        for (int i = 0; i < SENT; i++) {
            String key = Canary.key();
            String path = "/sent/" + name + "-" + i;
            String response = "{\"true\":" + i + "}";
            Gate gate = new Gate();
            downstream.at(path, gate.before(Step.json(201, response)));
            all.add(new Sent(key, path, response, gate, calls.submit(() -> post(gateway, key, path))));
        }
        for (Sent one : all) {
            one.gate.awaitReached();
        }
        return all;
    }

    private static void watch(Replica gateway, String remembered, int threadsBefore) {
        long end = System.nanoTime() + FROZEN.toNanos();
        while (System.nanoTime() < end) {
            Expect.refusedForNow(post(gateway, Canary.key(), "/payments/first"), 503, "ledger-unavailable");
            Expect.replayed(post(gateway, remembered, "/payments/remembered"), 201);
            assertThat(threads(gateway)).as("threads").isLessThanOrEqualTo(threadsBefore + MORE_THREADS);
        }
    }

    private static Response post(Replica gateway, String key, String path) {
        return gateway.keyed(ALICE, key).body("{}").post(path);
    }

    private static int threads(Replica gateway) {
        return (int) Metrics.of(gateway).sum("jvm_threads_live_threads");
    }

    /// What is left after a full collection, in bytes.
    private static long liveHeap(Replica gateway) throws Exception {
        Process look = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(gateway.program().pid()), "GC.class_histogram").redirectErrorStream(true).start();
        try (BufferedReader lines = look.inputReader()) {
            String total = lines.lines().filter(line -> line.startsWith("Total")).findFirst().orElseThrow();
            return Long.parseLong(total.strip().split("\\s+")[2]);
        }
    }
}

package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Calm;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.PostgresServer;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// PostgreSQL goes away and comes back: nothing is forwarded without a claim, what is in memory still replays, and nobody
/// has to do anything afterwards.
@Calm
@EndToEnd
final class OutageIT {

    private static final Duration SOON = Duration.ofSeconds(2);
    private static final Duration BACK = Duration.ofSeconds(60);

    private final RawDownstream downstream;

    OutageIT(World world) {
        downstream = world.downstream();
    }

    @Test
    void ledgerMayGoAndComeBack(@TempDir Path folder) throws Exception {
        try (PostgresServer postgres = PostgresServer.start(folder.resolve("postgres"));
                Replica gateway = Replica.start(
                        folder,
                        Settings.of(Settings.ledger(postgres.newDatabase()), downstream.url(), downstream.url()))) {
            String remembered = Canary.key();
            Expect.fresh(post(gateway, remembered, "remembered"), 201);
            String lost = Canary.key();
            Gate gate = new Gate();
            downstream.at("/pay/lost", gate.before(Step.json(201, "{\"true\":1}")));
            try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
                Future<Response> underWay = calls.submit(() -> post(gateway, lost, "lost"));
                gate.awaitReached();
                postgres.stop();
                whileItIsAway(gateway, remembered);
                gate.open();
                Expect.passed(underWay.get(), 201, "in-doubt");
            }
            postgres.start();
            String after = Canary.key();
            await().atMost(BACK).until(() -> post(gateway, after, "after").statusCode() == 201);
            assertThat(downstream.receivedAt("/pay/after")).hasSize(1);
            await().atMost(BACK).until(() -> post(gateway, lost, "lost").statusCode() == 201);
            assertThat(Expect.replayed(post(gateway, lost, "lost"), 201).asString()).isEqualTo("{\"true\":1}");
            assertThat(downstream.receivedAt("/pay/lost")).hasSize(1);
        }
    }

    @Test
    void embeddedPostgresThatDiesIsStartedAgain(@TempDir Path folder) throws Exception {
        Path data = folder.resolve("data");
        String settings = Settings.of("data-dir: \"" + data + "\"", downstream.url(), downstream.url());
        try (Replica gateway = Replica.start(folder, settings)) {
            String key = Canary.key();
            Expect.fresh(post(gateway, key, "embedded"), 201);
            long postmaster = postmaster(data);
            ProcessHandle.of(postmaster).orElseThrow().destroyForcibly();

            await().atMost(BACK).ignoreExceptions()
                    .until(() -> post(gateway, Canary.key(), "embedded").statusCode() == 503
                            || postmaster(data) != postmaster);
            await().atMost(BACK).until(() -> post(gateway, Canary.key(), "embedded").statusCode() == 201);
            assertThat(postmaster(data)).isNotEqualTo(postmaster);
            Expect.replayed(post(gateway, key, "embedded"), 201);
            // So that it ends its PostgreSQL too.
            gateway.program().terminate();
            assertThat(gateway.program().awaitExit()).isZero();
        }
    }

    private static long postmaster(Path data) throws IOException {
        Path file = data.resolve("postgres").resolve("postmaster.pid");
        return Files.exists(file) ? Long.parseLong(Files.readAllLines(file).getFirst().strip()) : 0;
    }

    private void whileItIsAway(Replica gateway, String remembered) {
        List<Duration> times = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long began = System.nanoTime();
            Response refused = post(gateway, Canary.key(), "away");
            times.add(Duration.ofNanos(System.nanoTime() - began));
            Expect.refusedForNow(refused, 503, "ledger-unavailable");
        }
        // The quickest: the others may have waited for a busy machine.
        assertThat(Collections.min(times)).isLessThan(SOON);
        assertThat(downstream.receivedAt("/pay/away")).isEmpty();
        Expect.replayed(post(gateway, remembered, "remembered"), 201);
        for (String path : new String[] {
            "/v1/entries", "/v1/entries/00000000-0000-4000-8000-000000000000",
            "/v1/entries/00000000-0000-4000-8000-000000000000/response"
        }) {
            Expect.refusedForNow(gateway.as(ALICE).get(path), 503, "ledger-unavailable");
        }
        Expect.refusedForNow(
                gateway.keyed(ALICE, Canary.key()).header("Prefer", "wait=1").body("{\"effect\":1}").post("/v1/claims"),
                503, "ledger-unavailable");
        Response unkeyed = gateway.as(ALICE).body("x").post("/optional/while-away");
        assertThat(unkeyed.statusCode()).isEqualTo(201);
        Response ready = gateway.management().get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.asString()).contains("ledger");
        Metrics away = Metrics.of(gateway);
        assertThat(away.sum("latchkey_ledger_reachable")).isZero();
        assertThat(away.sum("latchkey_ledger_writable")).isZero();
        assertThat(gateway.management().get("/health/live").statusCode()).isEqualTo(200);
    }

    private static Response post(Replica gateway, String key, String path) {
        return gateway.keyed(ALICE, key).body("{}").post("/payments/" + path);
    }
}

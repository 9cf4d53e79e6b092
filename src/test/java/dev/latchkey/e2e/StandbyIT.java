package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Calm;
import dev.latchkey.testing.PostgresPair;
import dev.latchkey.testing.RawDownstream;
import io.restassured.response.Response;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `ledger.durability: replicated` from outside: without a synchronous standby nothing is forwarded, and that is said.
@Calm
@EndToEnd
final class StandbyIT {

    private static final Duration BACK = Duration.ofSeconds(60);

    @TempDir
    private static Path folder;

    private static PostgresPair pair;

    private final RawDownstream downstream;

    StandbyIT(World world) {
        downstream = world.downstream();
    }

    @BeforeAll
    static void startPair() {
        pair = PostgresPair.start(folder);
    }

    @AfterAll
    static void endPair() {
        pair.close();
    }

    @AfterEach
    void bringTheStandbyBack() {
        pair.startStandby();
    }

    @Test
    void withoutTheStandbyNothingIsForwarded() throws Exception {
        try (Replica gateway = Replica.start(folder, settings(pair.url(pair.newDatabase())))) {
            String remembered = Canary.key();
            Expect.fresh(post(gateway, remembered, "remembered"), 201);
            pair.stopStandby();
            List<String> keys = refusedMeanwhile(gateway);
            assertThat(downstream.receivedAt("/pay/alone")).isEmpty();
            Expect.replayed(post(gateway, remembered, "remembered"), 201);
            await().atMost(BACK).untilAsserted(() -> {
                Response ready = gateway.management().get("/health/ready");
                assertThat(ready.statusCode()).isEqualTo(200);
                assertThat(ready.asString()).contains("\"ready\"", "no synchronous standby is connected");
                Metrics figures = Metrics.of(gateway);
                assertThat(figures.sum("latchkey_ledger_writable")).isZero();
                assertThat(figures.sum("latchkey_ledger_reachable")).isEqualTo(1);
            });
            // It was read meanwhile; each refused call says why by itself.
            List<String> lost = events(gateway, "ledger-lost");
            assertThat(lost).filteredOn(line -> line.contains("\"entry\"")).hasSameSizeAs(keys);
            assertThat(lost).filteredOn(line -> !line.contains("\"entry\"")).hasSize(1);
            assertThat(events(gateway, "ledger-back")).isEmpty();

            pair.startStandby();
            for (String key : keys) {
                // Free again, as often as it takes: none was sent.
                await().atMost(BACK).until(() -> post(gateway, key, "alone").statusCode() == 201);
            }
            assertThat(downstream.receivedAt("/pay/alone")).hasSize(keys.size());
            await().atMost(BACK).untilAsserted(() -> {
                assertThat(Metrics.of(gateway).sum("latchkey_ledger_writable")).isEqualTo(1);
                assertThat(events(gateway, "ledger-back")).hasSize(1);
            });
        }
    }

    private static List<String> events(Replica gateway, String event) {
        return gateway.program().output().lines().filter(line -> line.contains("\"event\":\"" + event + "\"")).toList();
    }

    /// More than there are connections: some wait for the standby's word on a claim, the others get no connection.
    private static List<String> refusedMeanwhile(Replica gateway) throws Exception {
        List<String> keys = new ArrayList<>();
        List<Future<Duration>> times = new ArrayList<>();
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 12; i++) {
                String key = Canary.key();
                keys.add(key);
                times.add(calls.submit(() -> {
                    long began = System.nanoTime();
                    Expect.refusedForNow(post(gateway, key, "alone"), 503, "ledger-unavailable");
                    return Duration.ofNanos(System.nanoTime() - began);
                }));
            }
        }
        // A busy machine keeps no time.
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        Duration limit = Duration.ofSeconds(load < 2 * Runtime.getRuntime().availableProcessors() ? 10 : 30);
        for (Future<Duration> time : times) {
            assertThat(time.get()).isLessThan(limit);
        }
        return keys;
    }

    @Test
    void serverWithoutStandbysIsRefusedAtTheStart() throws IOException {
        try {
            pair.primary().reload("synchronous_standby_names = ''");
            String output = refusedAtTheStart(pair.url("postgres"));
            assertThat(output).contains("ledger.durability is replicated", "synchronous_standby_names is empty");
        } finally {
            pair.primary().reload("synchronous_standby_names = 'FIRST 1 (sb)'");
            pair.primary().awaitStandby();
        }
    }

    @Test
    void standbyAloneIsRefusedAtTheStart() throws IOException {
        assertThat(refusedAtTheStart(pair.standby().url("postgres")))
                .contains("leads to a standby: name the primary, or all hosts");
    }

    private static String refusedAtTheStart(String ledger) throws IOException {
        Path file = Files.createTempFile(folder, "latchkey", ".yaml");
        Files.writeString(file, """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { url: "%s", durability: replicated }
                routes: [{ name: payments, prefix: /payments, downstream: { url: "http://127.0.0.1:1" } }]
                """.formatted(ledger));
        Program program = Program.run("serve", "--config", file.toString());
        assertThat(program.awaitExit()).isEqualTo(1);
        return program.output();
    }

    private String settings(String ledger) {
        return Settings.of(
                Settings.ledger(ledger) + ", durability: replicated", downstream.url(), downstream.url());
    }

    private static Response post(Replica gateway, String key, String path) {
        return gateway.keyed(ALICE, key).body("{}").post("/payments/" + path);
    }
}

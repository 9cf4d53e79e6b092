package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.testing.Alone;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.Step;
import io.restassured.response.Response;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Starting: what `serve` refuses, how fast it is, and how little memory it needs.
@Alone
@EndToEnd
final class StartIT {

    private static final String ROUTE = """
            routes:
              - name: payments
                prefix: /payments
                downstream: { url: "http://127.0.0.1:1" }
            """;

    private final World world;

    StartIT(World world) {
        this.world = world;
    }

    @Test
    void serveWithoutALedgerIsRefused(@TempDir Path folder) throws IOException {
        Program program = serve(folder, "clients: open\n" + ROUTE);
        assertThat(program.awaitExit()).isEqualTo(2);
        assertThat(program.output()).contains("ledger.url", "ledger.data-dir");
    }

    @Test
    void serveWithoutClientsOnAnyOtherAddressThanLoopbackIsRefused(@TempDir Path folder) throws IOException {
        Program program = serve(folder,
                "listen: { host: 0.0.0.0, port: 0 }\nledger: { url: \"jdbc:postgresql://x/y\" }\n" + ROUTE);
        assertThat(program.awaitExit()).isEqualTo(2);
        assertThat(program.output()).contains("clients");
    }

    @Test
    void serveWithoutSettingsIsRefused() {
        Program program = Program.run("serve");
        assertThat(program.awaitExit()).isEqualTo(2);
        assertThat(program.output()).contains("--config");
    }

    @ParameterizedTest
    @ValueSource(strings = {"listen", "management"})
    void portThatIsTakenIsSaid(String which, @TempDir Path folder) throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String settings = world.settings()
                    .replaceFirst("(?s)(" + which + ":.*?port:) 0", "$1 " + taken.getLocalPort());
            Program program = serve(folder, settings);
            assertThat(program.awaitExit()).isEqualTo(1);
            assertThat(program.output())
                    .contains("127.0.0.1:" + taken.getLocalPort() + " cannot be listened on", "choose another port")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void everyCallerIsOneClientWhereTheGatewayIsOpen() {
        try (Replica open = world.start(openSettings())) {
            String key = Canary.key();
            Expect.fresh(open.open().header("Idempotency-Key", key).post("/payments/open"), 201);
            Response again = open.open()
                    .header("Authorization", "Bearer " + Canary.CREDENTIAL + "-whatever")
                    .header("Idempotency-Key", key)
                    .post("/payments/open");
            Expect.replayed(again, 201);
            assertThat(world.downstream().receivedAt("/pay/open")).hasSize(1);
            open.open().header("Authorization", "Bearer " + Canary.CREDENTIAL + "-whatever").post("/optional/open");
            assertThat(world.downstream().receivedAt("/optional/open").getFirst().headers().has("Authorization"))
                    .isFalse();
        }
    }

    @Test
    void gatewayIsReadyInFiveSeconds() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        assumeTrue(load < Runtime.getRuntime().availableProcessors(), () -> "the machine is busy: " + load);
        world.gateway();
        List<Duration> starts = new ArrayList<>();
        do {
            long began = System.nanoTime();
            world.start(world.settings(), Program.AS_USERS_DO).close();
            starts.add(Duration.ofNanos(System.nanoTime() - began));
        } while (starts.getLast().compareTo(Duration.ofSeconds(5)) >= 0 && starts.size() < 3);
        assertThat(starts.getLast()).isLessThan(Duration.ofSeconds(5));
    }

    /// Picocli's classes are too old for Java's cache: they took a fifth of a start on one CPU. Certificates are of no use
    /// to downstreams without TLS.
    @Test
    void lineOfTheImageLoadsNeitherPicocliNorCertificates(@TempDir Path folder) throws IOException {
        Path loaded = folder.resolve("loaded");
        try (Replica replica = world.start(world.settings(), "-Xlog:class+load:file=" + loaded)) {
            replica.program().terminate();
            assertThat(replica.program().awaitExit()).isZero();
        }
        assertThat(Files.readString(loaded)).contains(" dev.latchkey.Gateway ")
                .doesNotContain(" picocli.", " sun.security.ssl.TrustStoreManager");
    }

    @Test
    void twoHundredCallsUnderWayFitIntoASmallHeap() throws Exception {
        int calls = 200;
        byte[] body = new byte[64 << 10];
        // All of them begin at once, so a busy machine may take long from the first claim to the last byte.
        String roomy = world.settings().replaceFirst("lease-margin: \\w+", "lease-margin: 60s");
        Gate gate = new Gate();
        world.downstream().always("/pay/crowd", gate.before(Step.json(201, "{}")));
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
                Replica small = world.start(roomy, "-Xmx256m", "-XX:+ExitOnOutOfMemoryError")) {
            List<Future<Exchange>> answers = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                answers.add(callers.submit(() -> RawCall.post(small, "/payments/crowd", ALICE, Canary.key(), body)));
            }
            await().until(() -> world.downstream().receivedAt("/pay/crowd").size() == calls
                    || answers.stream().anyMatch(Future::isDone));
            assertThat(answers.stream().filter(Future::isDone).map(answer -> answer.resultNow().text())).isEmpty();
            gate.open();
            for (Future<Exchange> answer : answers) {
                assertThat(answer.get().status()).isEqualTo(201);
            }
            assertThat(small.program().isAlive()).isTrue();
        } finally {
            gate.open();
        }
    }

    private String openSettings() {
        return world.settings().replaceAll("(?s)clients:\n.*?\nroutes:", "clients: open\nroutes:");
    }

    private static Program serve(Path folder, String settings) throws IOException {
        Path file = Files.writeString(folder.resolve("latchkey.yaml"), settings);
        return Program.run("serve", "--config", file.toString());
    }
}

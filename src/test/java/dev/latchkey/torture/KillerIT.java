package dev.latchkey.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.SystemClocks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// With a process that stays, and a server that plays its gateway.
class KillerIT {

    private static final List<String> STAYS = List.of("sh", "-c", "echo $$; exec sleep 600");

    @TempDir
    private Path folder;

    private final Caller caller = new Caller(new SystemClocks(), null, Duration.ofSeconds(30));
    /// A gateway that nobody here has started answers.
    private volatile boolean anothers;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "{}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(anothers || isUp() ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        caller.close();
    }

    @Test
    void gatewayIsKilledAndStartedAgainUntilTheEnd() throws Exception {
        try (Killer killer = killer(STAYS)) {
            killer.revive();
            Thread killing = Thread.ofVirtual().start(() -> assertThatThrownBy(killer::kill)
                    .isInstanceOf(InterruptedException.class));
            await().atMost(60, TimeUnit.SECONDS).until(() -> pids().size() > 3);
            killing.interrupt();
            killing.join();
            killer.revive();
            assertThat(killer.kills()).isGreaterThanOrEqualTo(3);
            await().atMost(60, TimeUnit.SECONDS).until(() -> isAlive(pids().getLast()));
            assertThat(pids().stream().filter(KillerIT::isAlive)).hasSize(1);
        }
        assertThat(pids()).noneMatch(KillerIT::isAlive);
    }

    @Test
    void gatewayThatDoesNotStartIsSaid() {
        try (Killer killer = killer(List.of("false"))) {
            assertThatThrownBy(killer::revive).isInstanceOf(IOException.class)
                    .hasMessageContaining("does not start; " + log());
        }
    }

    @Test
    void gatewayOfAnotherIsNotTakenForItsOwn() {
        anothers = true;
        try (Killer killer = killer(STAYS)) {
            assertThatThrownBy(killer::revive).isInstanceOf(IOException.class)
                    .hasMessageContaining("another gateway runs at");
            assertThat(log()).doesNotExist();
        }
    }

    private Killer killer(List<String> command) {
        URI gateway = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return new Killer(command, log(), gateway, caller, 7, new Hasty());
    }

    private Path log() {
        return folder.resolve("log");
    }

    private List<Long> pids() throws IOException {
        return Files.exists(log())
                ? Files.readAllLines(log()).stream().map(Long::valueOf).toList()
                : List.of();
    }

    /// Whether the process that was started last has said so and lives.
    private boolean isUp() throws IOException {
        List<Long> pids = pids();
        return !pids.isEmpty() && isAlive(pids.getLast());
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    /// Never waits, but lets itself be interrupted.
    private record Hasty() implements Clocks {

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }
}

package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static dev.latchkey.e2e.Client.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.latchkey.testing.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The crash suite for users, on gateways that are right and on worlds that are wrong. All run at once, each with keys of
/// its own, because each of them waits most of its time.
final class TortureIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private static Path folder;

    private static TestPostgres database;
    private static Program sandbox;
    private static Doubling doubling;
    private static Replica first;
    private static Replica second;
    private static Replica doubled;
    private static Program ofAlice;
    private static Program ofBob;
    private static Program ofDoubled;

    @BeforeAll
    static void startAll() throws IOException {
        database = TestPostgres.create();
        sandbox = Program.start(List.of(), "sandbox", "--port", "0");
        URI downstream = URI.create(sandbox.awaitLine(line -> line.contains("ready on http")).replaceAll(".* ", ""));
        doubling = Doubling.before(downstream);
        first = Replica.start(folder, settings(0, 0, downstream));
        second = Replica.start(folder, settings(0, 0, downstream));
        doubled = Replica.start(folder, settings(0, 0, doubling.url()));
        ofAlice = torture(ALICE, settings(0, 0, downstream), first, second);
        ofBob = torture(BOB, settings(0, 0, downstream), first, second);
        ofDoubled = torture(ALICE, settings(0, 0, doubling.url()), doubled);
        ofAlice.awaitLine(line -> line.contains("Torturing the route notifications"));
        second.program().kill();
        second = Replica.start(folder, settings(second.port(), second.managementPort(), downstream));
    }

    @AfterAll
    static void stopAll() {
        Stream.of(ofAlice, ofBob, ofDoubled).filter(Objects::nonNull).forEach(Program::close);
        Stream.of(first, second, doubled).filter(Objects::nonNull).forEach(Replica::close);
        doubling.close();
        sandbox.close();
        database.close();
    }

    @Test
    void replicaIsKilledAndNothingIsWrong() {
        assertThat(ofAlice.awaitExit()).as(ofAlice.output()).isZero();
        assertThat(ofAlice.output())
                .contains("as the client alice for 5s, seed 7.", "Waiting 4s, until every lease has ended.", "Clean: ")
                .containsPattern("KEYS +CALLS +EFFECTS +SECONDS +SEED")
                .containsPattern("\\d+ +202 recorded replayed")
                .containsPattern("\\d+ +no answer").doesNotContain("VIOLATION");
    }

    @Test
    void ledgerThatForgetsIsFoundOut() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).until(() -> {
            database.run("with gone as (delete from entry where client = 'bob' returning entry_id)"
                    + " delete from response r using gone g where r.entry_id = g.entry_id");
            return !ofBob.isAlive();
        });
        assertThat(ofBob.awaitExit()).as(ofBob.output()).isEqualTo(1);
        assertThat(ofBob.output()).contains("VIOLATION", "took effect 2 times", "Violated: ",
                "To repeat it: --seed 7.");
    }

    @Test
    void networkThatSendsTwiceIsFoundOut() {
        assertThat(ofDoubled.awaitExit()).as(ofDoubled.output()).isEqualTo(1);
        assertThat(ofDoubled.output()).contains("took effect 2 times", "Violated: ")
                .containsPattern("[0-9a-f]{8}-[0-9a-f-]{27} +took effect 2 times +\\d{3} ");
    }

    private static Program torture(Client client, String settings, Replica... replicas) throws IOException {
        Path file = Files.writeString(Files.createTempFile(folder, "torture", ".yaml"), settings);
        List<String> arguments = new ArrayList<>(List.of(
                "torture", "--config", file.toString(), "--for", "5s", "--seed", "7", "--callers", "16", "--token",
                client.token()));
        for (Replica replica : replicas) {
            arguments.addAll(List.of("--url", "http://127.0.0.1:" + replica.port()));
        }
        return Program.start(List.of(), arguments.toArray(String[]::new));
    }

    private static String settings(int port, int managementPort, URI downstream) {
        return """
                listen: { port: %d }
                management: { port: %d }
                ledger: { %s, lease-margin: 2s }
                upkeep: { every: 1s }
                clients:
                  - { name: alice, token-sha256: %s }
                  - { name: bob, token-sha256: %s }
                routes:
                  - name: elsewhere
                    prefix: /elsewhere
                    downstream: { url: "http://127.0.0.1:%d" }
                  - name: notifications
                    prefix: /notifications
                    downstream: { url: "%s/notifications", timeout: 1s }
                """.formatted(port, managementPort, Settings.ledger(database), ALICE.digest(), BOB.digest(),
                Settings.REFUSING_PORT, downstream);
    }

    /// Something between gateway and sandbox that sends each request twice.
    private record Doubling(HttpServer server, HttpClient client, ExecutorService threads, URI sandbox)
            implements AutoCloseable {

        static Doubling before(URI sandbox) throws IOException {
            ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            Doubling doubling = new Doubling(server, HttpClient.newHttpClient(), threads, sandbox);
            server.setExecutor(threads);
            server.createContext("/", doubling::pass);
            server.start();
            return doubling;
        }

        URI url() {
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        }

        private void pass(HttpExchange exchange) throws IOException {
            try (exchange) {
                byte[] body = exchange.getRequestBody().readAllBytes();
                HttpRequest.Builder request =
                        HttpRequest.newBuilder(URI.create(sandbox + exchange.getRequestURI().toString()))
                                .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
                for (String name : List.of("Idempotency-Key", "Content-Type", "Sandbox-Fault")) {
                    String value = exchange.getRequestHeaders().getFirst(name);
                    if (value != null) {
                        request.header(name, value);
                    }
                }
                client.send(request.build(), BodyHandlers.discarding());
                HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(answer.statusCode(),
                        answer.body().length == 0 ? -1 : answer.body().length);
                exchange.getResponseBody().write(answer.body());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {
            server.stop(0);
            client.shutdownNow();
            threads.shutdownNow();
        }
    }
}

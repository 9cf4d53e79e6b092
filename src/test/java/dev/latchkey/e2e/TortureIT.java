package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.latchkey.testing.Closing;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The crash suite for users: on gateways that are right, and behind a network that is not.
final class TortureIT {

    @TempDir
    private static Path folder;

    private static TestPostgres database;
    private static Program sandbox;
    private static Doubling doubling;
    private static String settings;
    private static Replica first;
    private static Replica second;

    @BeforeAll
    static void start() throws IOException {
        database = TestPostgres.create();
        sandbox = Program.start(List.of(), "sandbox", "--port", "0");
        URI downstream = URI.create(sandbox.awaitLine(line -> line.contains("ready on http")).replaceAll(".* ", ""));
        doubling = Doubling.before(downstream);
        settings = settings(downstream, doubling.url());
        first = Replica.start(folder, settings);
        second = Replica.start(folder, settings);
    }

    @AfterAll
    static void stop() throws Exception {
        Closing.all(first, second, doubling, sandbox, database);
    }

    @Test
    void replicaIsKilledAndNothingIsWrong() throws IOException {
        try (Program torture = torture("notifications", first, second)) {
            torture.awaitLine(line -> line.contains("Torturing the route notifications"));
            second.program().kill();
            second = Replica.start(folder, settings.replace("listen: { port: 0 }",
                    "listen: { port: " + second.port() + " }"));
            assertThat(torture.awaitExit()).as(torture.output()).isZero();
            assertThat(torture.output())
                    .contains("as the client alice for 5s, seed 7.", "Waiting 4s, until every lease has ended.",
                            "Clean: ")
                    .containsPattern("KEYS +CALLS +EFFECTS +SECONDS +SEED").doesNotContain("VIOLATION");
        }
    }

    @Test
    void networkThatSendsTwiceIsFoundOut() throws IOException {
        try (Program torture = torture("doubled", first)) {
            assertThat(torture.awaitExit()).as(torture.output()).isEqualTo(1);
            assertThat(torture.output()).contains("Violated: ", "To repeat it: --seed 7.")
                    .containsPattern("[0-9a-f]{8}-[0-9a-f-]{27} +took effect \\d times +\\d{3} ");
        }
    }

    private static Program torture(String route, Replica... replicas) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "torture", "--config", file(settings).toString(), "--route", route, "--for", "5s", "--seed", "7",
                "--callers", "16", "--token", ALICE.token()));
        for (Replica replica : replicas) {
            arguments.addAll(List.of("--url", "http://127.0.0.1:" + replica.port()));
        }
        return Program.start(List.of(), arguments.toArray(String[]::new));
    }

    private static Path file(String settings) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "torture", ".yaml"), settings);
    }

    private static String settings(URI downstream, URI doubled) {
        return """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { %s, lease-margin: 2s }
                upkeep: { every: 1s }
                clients:
                  - { name: alice, token-sha256: %s }
                routes:
                  - name: notifications
                    prefix: /notifications
                    downstream: { url: "%s/notifications", timeout: 1s }
                  - name: doubled
                    prefix: /doubled
                    downstream: { url: "%s/notifications", timeout: 1s }
                """.formatted(Settings.ledger(database), ALICE.digest(), downstream, doubled);
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

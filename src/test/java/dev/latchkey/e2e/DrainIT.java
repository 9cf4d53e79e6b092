package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.testing.BatchCall;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.Step;
import io.restassured.response.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// What becomes of everything that may be under way when a replica is told to stop.
@EndToEnd
final class DrainIT {

    private static final Duration PACE = Duration.ofMillis(50);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(1);

    private final SystemClocks clocks = new SystemClocks();
    private final World world;
    private final RawDownstream downstream;

    DrainIT(World world) {
        this.world = world;
        downstream = world.downstream();
    }

    @Test
    void whoWaitsHasABatchAClaimOrAnIdleConnectionIsServedToItsEnd() throws Exception {
        Replica leaving = world.start(world.settings());
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/leaving", gate.before(Step.json(201, "{\"id\":7}")));
        Response claim = leaving.keyed(ALICE, Canary.key()).body("{\"effect\":{\"file\":\"a\"}}").post("/v1/claims");
        assertThat(claim.statusCode()).isEqualTo(201);
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
                BatchCall batch = leaving.batch(ALICE);
                Kept used = Kept.open(leaving);
                Kept late = Kept.open(leaving)) {
            Future<Response> first = calls.submit(() -> post(leaving, key, "leaving"));
            gate.awaitReached();
            Future<Response> waiting = calls.submit(() -> post(leaving, key, "leaving"));
            batch.line(line(key, "leaving"));
            await().until(() -> Metrics.of(leaving).sum("latchkey_calls_waiting") == 2);
            // The batch is one of them: a drain waits for it.
            await().until(() -> Metrics.of(leaving).sum("latchkey_calls_under_way") == 3);
            assertThat(used.ask()).noneMatch(Kept::closes);
            assertThat(late.ask()).noneMatch(Kept::closes);

            leaving.program().terminate();
            await().until(() -> leaving.management().get("/health/ready").statusCode() == 503);
            assertThat(used.ask()).anyMatch(Kept::closes).first().asString().contains("200");
            assertThat(used.isClosed()).isTrue();
            leaving.program().awaitLine(printed -> printed.contains("refusing"));
            batch.line(line(Canary.key(), "too-late")).end();
            assertThat(late.call()).anyMatch(Kept::closes).first().asString().contains("503");
            assertThat(late.isClosed()).isTrue();
            gate.open();

            Expect.fresh(first.get(), 201);
            Expect.replayed(waiting.get(), 201);
            List<JsonNode> answers = batch.answers();
            assertThat(answers).extracting(each -> each.path("status").asInt()).containsExactlyInAnyOrder(503, 201);
        }
        assertThat(leaving.program().awaitExit()).isZero();
        assertThat(downstream.receivedAt("/pay/leaving")).hasSize(1);
        assertThat(downstream.receivedAt("/pay/too-late")).isEmpty();
        // Its lease outlives the replica that gave it.
        Response result = world.gateway().as(ALICE).header("Claim-Token", claim.jsonPath().getString("token"))
                .contentType("text/plain").body("done")
                .put("/v1/claims/" + claim.jsonPath().getString("entry_id") + "/result");
        assertThat(result.statusCode()).as(result.asString()).isBetween(200, 204);
    }

    /// Straight at the replica, with nothing between that would send again: who comes before the refusal is served.
    @Test
    void underLoadEachCallIsRecordedOrRefusedForNowAndNoneIsCut() throws Exception {
        Replica leaving = world.start(world.settings());
        downstream.always("/pay/loaded", (request, wire) -> {
            new CountDownLatch(1).await(LONG.toMillis(), TimeUnit.MILLISECONDS);
            Step.json(201, "{}").play(request, wire);
        });
        Queue<Lone> heard = new ConcurrentLinkedQueue<>();
        SteadyLoad load = SteadyLoad.start(PACE, number -> {
            heard.add(Lone.call(leaving.port(), "/payments/loaded", number));
            return Optional.empty();
        });
        load.awaitMore(10);
        leaving.program().terminate();
        assertThat(leaving.program().awaitExit()).isZero();
        assertThat(leaving.program().output()).doesNotContain("drain-timed-out");
        load.end();

        assertThat(heard).anyMatch(Lone::isRecorded).anyMatch(Lone::isRefused);
        long refusing = heard.stream().filter(Lone::isRefused).mapToLong(Lone::asked).min().orElseThrow();
        // Once the port is closed nobody answers: not before, and nothing has come of it.
        assertThat(heard).filteredOn(call -> !call.isRecorded() && !call.isRefused())
                .allSatisfy(call -> assertThat(call.answer()).isEmpty())
                .allSatisfy(call -> assertThat(call.asked()).isGreaterThan(refusing));
        Map<String, Long> effects = downstream.receivedAt("/pay/loaded").stream()
                .collect(Collectors.groupingBy(Received::text, Collectors.counting()));
        assertThat(heard).allSatisfy(
                call -> assertThat(effects.getOrDefault(call.body(), 0L)).isEqualTo(call.isRecorded() ? 1 : 0));
    }

    @Test
    void forwardThatOutlastsTheDrainIsNotRepeated() throws Exception {
        Replica leaving = world.start(world.settings().replace("delay: 1s, timeout: 20s", "delay: 0s, timeout: 1s"));
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/outlasting", gate.before(Step.json(201, "{}")));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
                Kept late = Kept.open(leaving)) {
            late.write("DELETE /payments/kept HTTP/1.1\r\n");
            calls.execute(() -> {
                try {
                    post(leaving, key, "outlasting");
                } catch (RuntimeException _) {
                    // It may be told, or cut.
                }
            });
            gate.awaitReached();
            leaving.program().terminate();
            while (!leaving.program().output().contains("drain-timed-out")) {
                late.write("Still: coming\r\n");
                clocks.sleep(SHORT);
            }
            // The server stops by now, and refuses by itself what it still reads.
            clocks.sleep(SHORT);
            assertThat(late.send("Host: gateway\r\n\r\n")).first().asString().contains("503");
            assertThat(leaving.program().awaitExit()).isZero();
            assertThat(leaving.program().output()).doesNotContain("ERROR");
            Response again = world.gateway().keyed(ALICE, key).header("Prefer", "wait=0").body("{}")
                    .post("/payments/outlasting");
            // Cut, and said so in the ledger, before it stopped.
            Expect.refused(again, 409, "outcome-unknown");
            gate.open();
        }
        assertThat(downstream.receivedAt("/pay/outlasting")).hasSize(1);
    }

    @Test
    void secondSignalStopsAtOnce() throws Exception {
        Replica leaving = world.start(world.settings());
        Gate gate = new Gate();
        downstream.at("/pay/twice", gate.before(Step.json(201, "{}")));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            calls.execute(() -> {
                try {
                    post(leaving, Canary.key(), "twice");
                } catch (RuntimeException _) {
                    // It is cut.
                }
            });
            gate.awaitReached();
            leaving.program().terminate();
            leaving.program().awaitLine(printed -> printed.contains("refusing"));
            leaving.program().terminate();
            assertThat(leaving.program().awaitExit()).isEqualTo(1);
            gate.open();
        }
    }

    private static Response post(Replica replica, String key, String path) {
        return replica.keyed(ALICE, key).body("{}").post("/payments/" + path);
    }

    private static String line(String key, String path) {
        return "{\"path\": \"/payments/%s\", \"key\": \"%s\", \"body\": {}}".formatted(path, key);
    }

    /// A call on a connection of its own.
    ///
    /// @param asked monotonic nanoseconds when it began
    /// @param answer all that came until the connection's end; empty: nothing
    private record Lone(String body, long asked, String answer) {

        static Lone call(int port, String path, int number) {
            String body = "{\"number\":" + number + "}";
            long asked = System.nanoTime();
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setSoTimeout(60_000);
                socket.getOutputStream().write(("POST " + path + " HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer "
                        + ALICE.token() + "\r\nIdempotency-Key: " + Canary.key() + "\r\nConnection: close\r\n"
                        + "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body)
                        .getBytes(StandardCharsets.ISO_8859_1));
                return new Lone(
                        body, asked, new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
            } catch (IOException e) {
                return new Lone(body, asked, "");
            }
        }

        boolean isRecorded() {
            return answer.startsWith("HTTP/1.1 201 ") && answer.contains("\r\nIdempotency-State: recorded\r\n")
                    && answer.endsWith("\r\n\r\n{}");
        }

        boolean isRefused() {
            return answer.startsWith("HTTP/1.1 503 ") && answer.contains("\r\nRetry-After: ")
                    && answer.contains("/problems/draining") && answer.endsWith("}");
        }
    }

    /// A connection that its caller keeps.
    private record Kept(Socket socket, BufferedReader in) implements AutoCloseable {

        static Kept open(Replica replica) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), replica.port());
            socket.setSoTimeout(60_000);
            return new Kept(
                    socket,
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1)));
        }

        /// Asks for a page; gives the head of the answer.
        List<String> ask() throws IOException {
            return send("HEAD /openapi.yaml HTTP/1.1\r\nHost: gateway\r\n\r\n");
        }

        /// Calls; gives the head of the answer.
        List<String> call() throws IOException {
            return send("DELETE /payments/kept HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer " + ALICE.token()
                    + "\r\n\r\n");
        }

        void write(String part) throws IOException {
            socket.getOutputStream().write(part.getBytes(StandardCharsets.ISO_8859_1));
        }

        /// Gives the head of the answer.
        List<String> send(String request) throws IOException {
            write(request);
            List<String> head = new ArrayList<>();
            for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
                head.add(line);
            }
            return head;
        }

        static boolean closes(String field) {
            return field.toLowerCase(Locale.ROOT).matches("connection: *close");
        }

        /// Reads to the end, which comes.
        boolean isClosed() throws IOException {
            while (in.read() >= 0) {
                // the body
            }
            return true;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}

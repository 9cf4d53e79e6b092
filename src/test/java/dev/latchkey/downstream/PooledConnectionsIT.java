package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.Forward;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.FixedClocks;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which connections are used again, and that what came on an idle one is nobody's answer.
class PooledConnectionsIT {

    private Harness harness;

    @BeforeEach
    void start() throws IOException {
        harness = new Harness();
    }

    @AfterEach
    void stop() throws IOException {
        harness.close();
    }

    @ParameterizedTest
    @CsvSource({
        "true, false, 900, 1",
        "true, false, 1000, 2",
        "true, true, 1000, 1",
        "true, true, 1900, 1",
        "true, true, 2000, 2",
        "false, false, 1900, 1",
        "false, false, 2000, 2"
    })
    void idleConnectionIsUsedOnlyWhileItCanBeTrusted(boolean keyed, boolean deduplicates, long idleMillis,
            int connections) {
        Forward forward = new Forward("POST", "/a", null, Headers.empty(), Body.empty(), keyed);
        // A slow machine must not make "just before" into "just after": only the test moves this clock.
        FixedClocks clocks = new FixedClocks();
        StrictClient.Settings settings = Harness.settings(harness.downstream.url(), 8, deduplicates);
        try (StrictClient client = new StrictClient(settings, harness.watchdog, clocks)) {
            client.send(forward, harness.open(), Harness.PATIENCE, new Harness.Spill());
            clocks.forward(Duration.ofMillis(idleMillis));

            client.send(forward, harness.open(), Harness.PATIENCE, new Harness.Spill());
        }

        assertThat(harness.downstream.received()).hasSize(2);
        assertThat(harness.downstream.connections()).isEqualTo(connections);
    }

    @ParameterizedTest
    @CsvSource({
        "timeout=1, 400, 1",
        "timeout=1, 500, 2",
        "'max=9, timeout=1', 500, 2",
        "'Timeout = \"1\"; max=9', 500, 2",
        "timeout=0, 0, 2",
        "timeout=60, 900, 1",
        "timeout=soon, 900, 1"
    })
    void downstreamsKeepAliveIsHonoured(String value, long idleMillis, int connections) {
        harness.downstream.at("/a", Step.reply(200).header("Keep-Alive", value));
        FixedClocks clocks = new FixedClocks();
        StrictClient.Settings settings = Harness.settings(harness.downstream.url(), 8, false);
        try (StrictClient client = new StrictClient(settings, harness.watchdog, clocks)) {
            client.send(Harness.post("/a"), harness.open(), Harness.PATIENCE, new Harness.Spill());
            clocks.forward(Duration.ofMillis(idleMillis));

            client.send(Harness.post("/b"), harness.open(), Harness.PATIENCE, new Harness.Spill());
        }

        assertThat(harness.downstream.connections()).isEqualTo(connections);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nConnection: x, CLOSE\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"
            })
    void connectionThatWillCloseIsNotUsedAgain(String response) {
        harness.downstream.at("/a", Step.raw(response));

        harness.send(Harness.post("/a"));
        harness.send(Harness.post("/b"));

        assertThat(harness.downstream.connections()).isEqualTo(2);
        await().until(() -> harness.downstream.openConnections() == 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "GET", "HEAD"})
    void connectionClosedWhileIdleIsFoundOut(String method) throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        harness.downstream.at("/a", (request, wire) -> {
            Step.reply(200).thenClose().play(request, wire);
            closed.countDown();
        });
        harness.send(Harness.any(method, "/a"));
        assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(harness.send(Harness.any(method, "/b"))).isInstanceOf(Outcome.Answered.class);
        assertThat(harness.downstream.receivedAt("/b")).hasSize(1);
        assertThat(harness.downstream.connections()).isEqualTo(2);
    }

    @Test
    void connectionResetWhileIdleIsFoundOut() throws Exception {
        harness.send(Harness.post("/a"));
        harness.downstream.resetOpenConnections();
        await().until(() -> harness.downstream.openConnections() == 0);

        assertThat(harness.send(Harness.post("/b"))).isInstanceOf(Outcome.Answered.class);
        assertThat(harness.downstream.connections()).isEqualTo(2);
    }

    @Test
    void bytesBehindAResponseAreNobodysAnswer() {
        harness.downstream.at(
                "/a", Step.raw(
                        "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbodyHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfake"));

        assertThat(answer("/a").body()).isEqualTo(Body.ofUtf8("body"));
        assertThat(answer("/b").status()).isEqualTo(201);
        assertThat(harness.downstream.connections()).isEqualTo(2);
    }

    @Test
    void bytesOnAnIdleConnectionAreNobodysAnswer() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        Gate idle = new Gate();
        harness.downstream.at("/a", (request, wire) -> {
            Step.reply(200).play(request, wire);
            idle.before((_, again) -> again.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfake"))
                    .play(request, wire);
            sent.countDown();
        });
        harness.send(Harness.post("/a"));
        idle.open();
        assertThat(sent.await(20, TimeUnit.SECONDS)).isTrue();

        assertThat(answer("/b").status()).isEqualTo(201);
        assertThat(harness.downstream.connections()).isEqualTo(2);
    }

    @Test
    void connectionsThatIdleForLongAreClosed() {
        harness.send(Harness.post("/a"));
        assertThat(harness.downstream.openConnections()).isEqualTo(1);

        harness.clocks.forward(Duration.ofSeconds(3));

        await().atMost(Duration.ofSeconds(20)).until(() -> harness.downstream.openConnections() == 0);
    }

    @Test
    void closedClientSendsNothing() {
        harness.send(Harness.post("/a"));
        harness.client.close();

        assertThat(harness.send(Harness.post("/b"))).isInstanceOf(Outcome.NotSent.class);
        assertThat(harness.downstream.receivedAt("/b")).isEmpty();
        await().until(() -> harness.downstream.openConnections() == 0);
    }

    @Test
    void forwardWithoutAPlaceIsNotSent() throws Exception {
        Gate gate = new Gate();
        harness.downstream.at("/slow", gate.before(Step.reply(200)));
        StrictClient.Settings narrow =
                new StrictClient.Settings(harness.downstream.url(), Duration.ofSeconds(2), 1, Harness.CAP, false);
        try (StrictClient client = new StrictClient(narrow, harness.watchdog, harness.clocks);
                var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            var slow = executor.submit(
                    () -> client.send(Harness.post("/slow"), harness.open(), Harness.PATIENCE, new Harness.Spill()));
            gate.awaitReached();

            Outcome second = client.send(Harness.post("/b"), harness.open(), Harness.PATIENCE, new Harness.Spill());
            gate.open();

            assertThat(second).isEqualTo(new Outcome.NotSent("no connection free in time"));
            assertThat(slow.get()).isInstanceOf(Outcome.Answered.class);
        }
        assertThat(harness.downstream.received()).hasSize(1);
    }

    @Test
    void manyAtOnceAreSentOnceEach() throws Exception {
        List<String> paths = IntStream.range(0, 200).mapToObj(i -> "/many/" + i).toList();
        ConcurrentLinkedQueue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
        StrictClient.Settings settings = Harness.settings(harness.downstream.url(), 50, false);
        try (StrictClient client = new StrictClient(settings, harness.watchdog, harness.clocks)) {
            for (int round = 0; round < 3; round++) {
                try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (String path : paths) {
                        executor.execute(() -> outcomes.add(client.send(
                                Harness.forward("POST", path, new byte[64 * 1024]),
                                harness.open(),
                                Harness.PATIENCE,
                                new Harness.Spill())));
                    }
                }
                assertThat(harness.downstream.openConnections()).isLessThanOrEqualTo(50);
            }
        }

        assertThat(outcomes).hasSize(600).allSatisfy(o -> assertThat(o).isInstanceOf(Outcome.Answered.class));
        assertThat(harness.downstream.received()).hasSize(600);
        assertThat(paths).allSatisfy(path -> assertThat(harness.downstream.receivedAt(path)).hasSize(3));
    }

    private Outcome.Answered answer(String path) {
        Outcome outcome = harness.send(Harness.post(path));
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return (Outcome.Answered) outcome;
    }
}

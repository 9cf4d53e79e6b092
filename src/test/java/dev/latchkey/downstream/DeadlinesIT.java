package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.SendWindow;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.Calm;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// When the client stops: at the end of its patience, when its window shuts, when the answer came early.
@Calm
class DeadlinesIT {

    private static final Duration SHORT = Duration.ofSeconds(1);
    /// Generous for a busy machine, and yet far below what the downstream would take.
    private static final Duration PROMPT = Duration.ofSeconds(10);
    /// More than any pair of socket buffers holds.
    private static final byte[] HUGE = new byte[16 * 1024 * 1024];
    private static final int TAKEN_WITH_THE_HEAD = 8192;

    private Harness harness;

    @BeforeEach
    void start() throws IOException {
        harness = new Harness();
    }

    @AfterEach
    void stop() throws IOException {
        harness.close();
    }

    @Test
    void hangIsResetAtPatience() throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        harness.downstream.at("/a", (_, wire) -> reset.complete(wire.awaitPeerClose()));

        assertEndsPromptly(() -> harness.send(Harness.post("/a"), SHORT));

        assertThat(reset.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nX-Slow: ",
                "HTTP/1.1 200 OK\r\nContent-Length: 90000\r\n\r\n",
                "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"
            })
    void trickleEndsAtPatience(String before) {
        CountDownLatch never = new CountDownLatch(1);
        harness.downstream.at("/a", (_, wire) -> {
            wire.write(before.isEmpty() ? "HTTP/1.1 20" : before);
            while (!never.await(5, TimeUnit.MILLISECONDS)) {
                wire.write("0");
            }
        });

        assertEndsPromptly(() -> harness.send(Harness.post("/a"), SHORT));
    }

    @Test
    void uploadThatNobodyReadsIsResetAtPatience() throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        Gate gate = new Gate();
        harness.downstream.at(
                "/a", Step.early(gate.before((_, wire) -> reset.complete(wire.awaitPeerClose()))));

        assertEndsPromptly(() -> harness.send(Harness.forward("POST", "/a", HUGE), SHORT));

        gate.open();
        assertThat(reset.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void interruptedUploadIsReset() throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        Gate gate = new Gate();
        harness.downstream.at(
                "/a", Step.early(gate.before((_, wire) -> reset.complete(wire.awaitPeerClose()))));
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread sender = Thread.ofVirtual()
                .start(() -> outcome.complete(harness.send(Harness.forward("POST", "/a", HUGE))));

        gate.awaitReached();
        sender.interrupt();

        assertThat(outcome.get(20, TimeUnit.SECONDS)).isEqualTo(new Outcome.Unknown(Cause.CONNECTION_LOST));
        gate.open();
        assertThat(reset.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void nothingIsSentOnceTheWindowIsShut() {
        SendWindow shut = SendWindow.from(harness.clocks, Duration.ZERO);

        Outcome outcome = harness.client.send(Harness.post("/a"), shut, Harness.PATIENCE, new Harness.Spill());

        assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
        assertThat(harness.downstream.bytesSeen()).isZero();
        assertThat(harness.downstream.received()).isEmpty();
    }

    @Test
    void nothingIsSentOnAPooledConnectionOnceTheWindowIsShut() {
        harness.send(Harness.post("/a"));
        int seen = harness.downstream.bytesSeen();
        SendWindow shut = SendWindow.from(harness.clocks, Duration.ZERO);

        Outcome outcome = harness.client.send(Harness.post("/b"), shut, Harness.PATIENCE, new Harness.Spill());

        assertThat(outcome).isInstanceOf(Outcome.NotSent.class);
        assertThat(harness.downstream.bytesSeen()).isEqualTo(seen);
    }

    @Test
    void nothingIsSentWithoutPatience() {
        assertThat(harness.send(Harness.post("/a"), Duration.ZERO)).isInstanceOf(Outcome.NotSent.class);
        assertThat(harness.downstream.bytesSeen()).isZero();
    }

    @Test
    void windowThatShutsInTheBodyResetsTheConnection() throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        Gate gate = new Gate();
        harness.downstream.at(
                "/a", Step.early(gate.before((_, wire) -> reset.complete(wire.awaitPeerClose()))));
        SendWindow window = SendWindow.from(harness.clocks, Duration.ofHours(1));
        CompletableFuture<Outcome> outcome = inBackground(() -> harness.client.send(
                Harness.forward("POST", "/a", HUGE), window, Duration.ofHours(9), new Harness.Spill()));

        gate.awaitReached();
        harness.clocks.forward(Duration.ofHours(2));
        gate.open();

        assertThat(outcome.get(20, TimeUnit.SECONDS)).isEqualTo(new Outcome.Unknown(Cause.TIMEOUT));
        assertThat(reset.get(20, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 408, 413, 503})
    void refusalThatComesEarlyStopsTheUpload(int status) throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        Gate gate = new Gate();
        harness.downstream.at("/a", Step.early((request, wire) -> {
            Step.json(status, "{}").play(request, wire);
            gate.before((_, again) -> reset.complete(again.awaitPeerClose())).play(request, wire);
        }));

        Outcome outcome = harness.send(Harness.forward("POST", "/a", HUGE));

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Answered.class, answered -> {
            assertThat(answered.status()).isEqualTo(status);
            assertThat(answered.sentWhole()).isFalse();
        });
        gate.open();
        assertThat(reset.get(20, TimeUnit.SECONDS)).isTrue();
        assertThat(harness.downstream.received()).hasSize(1);
    }

    /// Linux keeps what arrived before a reset readable.
    @RepeatedTest(30)
    void refusalBeforeAResetIsTheAnswer() {
        harness.downstream.at("/a", Step.early((request, wire) -> {
            Step.json(413, "{}").play(request, wire);
            wire.close();
        }));

        Outcome outcome = harness.send(Harness.forward("POST", "/a", HUGE));

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Answered.class, answered -> {
            assertThat(answered.status()).isEqualTo(413);
            assertThat(answered.sentWhole()).isFalse();
        });
        assertThat(harness.downstream.received()).hasSize(1);
    }

    @Test
    void successThatComesEarlyLetsTheUploadEnd() throws Exception {
        CompletableFuture<Integer> read = new CompletableFuture<>();
        harness.downstream.at("/a", Step.early((request, wire) -> {
            Step.json(200, "{}").play(request, wire);
            read.complete(wire.read(HUGE.length - TAKEN_WITH_THE_HEAD).length);
        }));

        Outcome outcome = harness.send(Harness.forward("POST", "/a", HUGE));

        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        assertThat(read.get(20, TimeUnit.SECONDS)).isEqualTo(HUGE.length - TAKEN_WITH_THE_HEAD);
    }

    @Test
    void successIsKnownEvenIfTheUploadNeverEnds() throws Exception {
        Gate gate = new Gate();
        harness.downstream.at("/a", Step.early((request, wire) -> {
            Step.json(200, "{}").play(request, wire);
            gate.before(Step.hang()).play(request, wire);
        }));

        Outcome outcome = harness.send(Harness.forward("POST", "/a", HUGE), Duration.ofSeconds(3));
        gate.open();

        assertThat(outcome).isInstanceOfSatisfying(
                Outcome.Answered.class, answered -> assertThat(answered.status()).isEqualTo(200));
    }

    @Test
    void timeoutStatusAfterTheLastByteSaysThatAllWasSent() {
        harness.downstream.at("/a", Step.reply(408), Step.early(Step.reply(408).thenClose()));

        for (int i = 0; i < 2; i++) {
            assertThat(harness.send(Harness.post("/a"))).isInstanceOfSatisfying(
                    Outcome.Answered.class, answered -> assertThat(answered.sentWhole()).isTrue());
        }
    }

    private interface Sending {
        Outcome send();
    }

    private static CompletableFuture<Outcome> inBackground(Sending sending) {
        CompletableFuture<Outcome> outcome = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> outcome.complete(sending.send()));
        return outcome;
    }

    private static void assertEndsPromptly(Sending sending) {
        long start = System.nanoTime();

        Outcome outcome = sending.send();

        assertThat(outcome).isEqualTo(new Outcome.Unknown(Cause.TIMEOUT));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(SHORT, PROMPT);
    }
}

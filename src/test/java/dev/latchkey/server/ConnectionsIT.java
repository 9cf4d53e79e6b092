package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.HeldBodies;
import dev.latchkey.gateway.HeldBody;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.State;
import dev.latchkey.testing.Said;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// What happens to connections: cut answers, callers that hang up, silence, the end.
class ConnectionsIT {

    private static final String HEAD = "POST /payments HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\n";

    private static final int LARGE = 100_000;

    @RegisterExtension
    private final Said said = Said.by(Front.class);

    private final RunningServer server = new RunningServer(Clients.open(), NoLedger.make(), Duration.ofMillis(700));

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void anAnswerThatIsCutHasNoProperEnd() throws Exception {
        String got = streamedUntilCut(-1);
        assertThat(got).contains("Transfer-Encoding: chunked").doesNotContain("\r\n0\r\n");
        assertToldOnce("An answer was cut");
        assertThat(server.metrics.scrape()).doesNotContain("latchkey_callers_gone_total");
    }

    @Test
    void whoHangsUpWhileItsAnswerIsOnItsWayIsCountedAsGone() throws Exception {
        HeldBody body = HeldBodies.begun(-1, new byte[LARGE]);
        server.answer(new Answer.Streamed(200, Headers.of("X", "y"), body, State.CLAIMED));
        try (Socket socket = server.client.open()) {
            socket.getOutputStream().write((HEAD + "Content-Length: 0\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            socket.setSoLinger(true, 0);
        }
        HeldBodies.offer(body, new byte[LARGE]);
        HeldBodies.release(body);
        assertToldOnce("The caller hung up");
        assertThat(server.metrics.scrape()).contains("latchkey_callers_gone_total{route=\"payments\"} 1.0");
    }

    private void assertToldOnce(String beginning) throws InterruptedException {
        assertThat(server.drain.awaitEmpty(Duration.ofSeconds(10))).isTrue();
        assertThat(said.lines()).singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).startsWith(beginning));
    }

    @Test
    void anAnswerOfKnownLengthThatIsCutIsShort() throws IOException {
        String got = streamedUntilCut(LARGE);
        assertThat(got).contains("Content-Length: " + LARGE);
        assertThat(got.length() - got.indexOf("\r\n\r\n") - 4).isLessThan(LARGE);
    }

    @Test
    void anAnswerThatIsReleasedIsWhole() throws IOException {
        HeldBody body = HeldBodies.begun(LARGE, new byte[LARGE]);
        HeldBodies.release(body);
        server.answer(new Answer.Streamed(200, Headers.of("X", "y"), body, State.CLAIMED));
        RawClient.Raw raw = server.client.send("POST /payments HTTP/1.1", "", "Idempotency-Key: k");
        assertThat(raw.body()).hasSize(LARGE);
        assertThat(raw.first("Idempotency-State")).isEqualTo("claimed");
        assertThat(raw.first("Idempotent-Replayed")).isEqualTo("false");
    }

    /// Reads an answer of which all has come but the word that it may end, and cuts it once some of it was seen.
    private String streamedUntilCut(long length) throws IOException {
        HeldBody body = HeldBodies.begun(length, new byte[LARGE]);
        server.answer(new Answer.Streamed(200, Headers.of("X", "y"), body, State.CLAIMED));
        try (Socket socket = server.client.open()) {
            socket.getOutputStream()
                    .write((HEAD + "Content-Length: 0\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder got = new StringBuilder();
            try {
                for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
                    got.append((char) c);
                    if (got.length() == 1_000) {
                        HeldBodies.cut(body);
                    }
                }
            } catch (IOException _) {
                // A reset is a cut too.
            }
            return got.toString();
        }
    }

    @Test
    void aCallThatTakesLongerThanTheSilenceIsAnswered() throws Exception {
        server.answer(call -> {
            try {
                new CountDownLatch(1).await(2, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return RunningServer.ok("late");
        });
        assertThat(server.client.send("POST /payments HTTP/1.1", "", "Idempotency-Key: k").text()).isEqualTo("late");
    }

    @Test
    void aBodyThatDoesNotComeIsGivenUp() throws Exception {
        RawClient.Raw raw = server.client.sendRaw(HEAD + "Connection: close\r\nContent-Length: 10\r\n\r\nabc");
        assertThat(raw.status()).isEqualTo(408);
        assertThat(raw.text()).contains("/problems/request-too-slow");
        assertThat(server.nothingCameThrough()).isTrue();
        assertThat(server.budget.held()).isZero();
    }

    @Test
    void aRefusalDoesNotWaitForABodyThatDoesNotCome() throws Exception {
        RawClient.Raw raw = server.client.sendRaw(HEAD + "Connection: close\r\nContent-Length: 9999999\r\n\r\nabc");
        assertThat(raw.status()).isEqualTo(413);
        assertThat(raw.text()).contains("/problems/body-too-large");
    }

    @Test
    void aRefusalReachesACallerThatStillSends() throws Exception {
        String chunk = "40000\r\n" + "x".repeat(0x40000) + "\r\n";
        RawClient.Raw raw = server.client.sendRaw(
                HEAD + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk.repeat(8) + "0\r\n\r\n");
        assertThat(raw.status()).isEqualTo(413);
        assertThat(raw.text()).contains("/problems/body-too-large");
    }

    @Test
    void aCallerThatHangsUpDoesNotStopItsCall() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        server.answer(call -> {
            begun.countDown();
            try {
                gone.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return RunningServer.ok("interrupted");
            }
            ended.countDown();
            return RunningServer.ok("fine");
        });
        try (Socket socket = server.client.open()) {
            socket.getOutputStream().write((HEAD + "Content-Length: 0\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            begun.await();
            socket.setSoLinger(true, 0);
        }
        gone.countDown();
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(server.drain.awaitEmpty(Duration.ofSeconds(10))).isTrue();
    }
}

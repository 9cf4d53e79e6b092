package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Response;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Callers who never fall silent and never get on either.
class SlowCallersIT {

    private static final String HEAD = "POST /payments HTTP/1.1\r\nHost: x\r\nIdempotency-Key: k\r\n";
    private static final CallerPace BRISK = new CallerPace(Duration.ofMillis(400), 100_000);
    /// Ends nobody for being slow.
    private static final CallerPace PATIENT = new CallerPace(Duration.ofMinutes(10), 1);
    private static final int UNFINISHED = 60_000;
    private static final int LARGE = 24 << 20;
    /// Longer than any test waits: not what ends a connection here.
    private static final Duration SILENCE = Duration.ofSeconds(30);

    private final RunningServer server =
            new RunningServer(Clients.open(), NoLedger.make(), SILENCE, 10 * LARGE, BRISK);

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void headerFieldsThatNeverEndAreCut() throws Exception {
        try (Socket socket = server.client.open()) {
            assertThat(sendUntilCut(socket, "GET /mail HTTP/1.1\r\nHost: x\r\nX-Slow: ", "")).isEmpty();
        }
    }

    @Test
    void headerFieldsOfALaterRequestAreCutToo() throws Exception {
        try (Socket socket = server.client.open()) {
            String got = sendUntilCut(
                    socket, HEAD + "Content-Length: 0\r\n\r\n", "POST /payments HTTP/1.1\r\nX-Slow: ");
            assertThat(got).startsWith("HTTP/1.1 200").endsWith("fine");
        }
    }

    @Test
    void bodyThatDribblesInIsRefused() throws Exception {
        try (Socket socket = server.client.open()) {
            String got = sendUntilCut(socket, HEAD + "Content-Length: 9999\r\n\r\n", "");
            assertThat(got).startsWith("HTTP/1.1 408").contains("/problems/request-too-slow", "Connection: close");
        }
        assertThat(server.nothingCameThrough()).isTrue();
        assertThat(server.budget.held()).isZero();
    }

    @Test
    void bodyIsRefusedAlsoWhereItsNextByteIsLong() throws Exception {
        try (Socket socket = server.client.open()) {
            String got = sendUntilCut(socket, HEAD + "Content-Length: 9999\r\n\r\n", "", 1_500);
            assertThat(got).startsWith("HTTP/1.1 408").contains("/problems/request-too-slow");
        }
    }

    @Test
    void bodyThatNobodyWantsDoesNotHoldItsConnection() throws Exception {
        try (Socket socket = server.client.open()) {
            String got = sendUntilCut(
                    socket, "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n", "");
            assertThat(got).startsWith("HTTP/1.1 404");
        }
    }

    @Test
    void lineOfABatchThatDribblesInIsCut() throws Exception {
        try (Socket socket = server.client.open()) {
            String got = sendUntilCut(
                    socket, "POST /v1/batches HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n{\"m", "");
            assertThat(got).doesNotContain("\r\n0\r\n");
        }
    }

    @Test
    void bodyThatKeepsThePaceIsTaken() throws Exception {
        byte[] body = new byte[90_000];
        try (Socket socket = server.client.open()) {
            OutputStream out = socket.getOutputStream();
            out.write((HEAD + "Connection: close\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes(
                    StandardCharsets.ISO_8859_1));
            for (int sent = 0; sent < body.length; sent += 9_000) {
                awaitNothing(socket);
                out.write(body, sent, 9_000);
            }
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void answerThatIsNotTakenIsCut() throws Exception {
        CallerPace quick = new CallerPace(Duration.ofMillis(400), 100L * LARGE);
        try (RunningServer own = new RunningServer(Clients.open(), NoLedger.make(), SILENCE, 10 * LARGE, quick)) {
            leaveStanding(own);
        }
    }

    @Test
    void answersThatNobodyTakesDoNotPileUp() throws Exception {
        try (RunningServer own = new RunningServer(Clients.open(), NoLedger.make(), SILENCE, LARGE, PATIENT)) {
            leaveStanding(own);
        }
    }

    @Test
    void bodiesThatNobodyFinishesDoNotPileUp() throws Exception {
        try (RunningServer own = new RunningServer(Clients.open(), NoLedger.make(), SILENCE, 300_000, PATIENT);
                Socket first = upToTheLastByte(own, HEAD);
                Socket second = upToTheLastByte(own, HEAD);
                Socket third = upToTheLastByte(own, HEAD)) {
            await().atMost(Duration.ofSeconds(10)).until(() -> own.budget.held() < 3 * UNFINISHED);
            assertThat(first.getInputStream().read()).isNegative();
            assertThat(finish(second)).startsWith("HTTP/1.1 200");
            assertThat(finish(third)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void linesThatNobodyFinishesDoNotPileUp() throws Exception {
        String batch = "POST /v1/batches HTTP/1.1\r\nHost: x\r\n";
        try (RunningServer own = new RunningServer(Clients.open(), NoLedger.make(), SILENCE, 300_000, PATIENT);
                Socket first = upToTheLastByte(own, batch);
                Socket second = upToTheLastByte(own, batch)) {
            await().atMost(Duration.ofSeconds(10)).until(() -> own.budget.held() < 150_000);
            assertThat(first.getInputStream().readAllBytes()).asString().doesNotContain("\"index\":0");
            assertThat(finish(second)).startsWith("HTTP/1.1 200").contains("\"index\":0");
        }
    }

    /// Sends all of a body but its last byte, and waits until the gateway holds it.
    private static Socket upToTheLastByte(RunningServer own, String head) throws IOException {
        long before = own.budget.held();
        Socket socket = own.client.open();
        OutputStream out = socket.getOutputStream();
        out.write((head + "Connection: close\r\nContent-Length: " + (UNFINISHED + 1) + "\r\n\r\n").getBytes(
                StandardCharsets.ISO_8859_1));
        out.write(new byte[UNFINISHED]);
        await().atMost(Duration.ofSeconds(10)).until(() -> own.budget.held() >= before + UNFINISHED);
        return socket;
    }

    private static String finish(Socket socket) throws IOException {
        socket.getOutputStream().write('\n');
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /// Reads a byte of an answer, and no more until the gateway has given it up.
    private static void leaveStanding(RunningServer own) throws IOException {
        own.answer(RunningServer.delivered(new Response(200, Headers.empty(), Body.of(new byte[LARGE]))));
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4_096);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), own.port()));
            socket.getOutputStream().write((HEAD + "Content-Length: 0\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            await().atMost(Duration.ofSeconds(10)).until(() -> own.drain.underWay() == 0);
            assertThat(own.metrics.scrape()).contains("latchkey_callers_gone_total{route=\"payments\"} 1.0");
        }
    }

    /// A moment in which no answer comes.
    private static void awaitNothing(Socket socket) throws IOException {
        socket.setSoTimeout(60);
        try {
            assertThat(socket.getInputStream().read()).isNegative();
        } catch (SocketTimeoutException _) {
            socket.setSoTimeout(20_000);
        }
    }

    private static String sendUntilCut(Socket socket, String text, String andThen) throws IOException {
        return sendUntilCut(socket, text, andThen, 50);
    }

    /// What came before the server closed. The sender waits for the connection's end between two bytes.
    ///
    /// @param millis how long it waits
    private static String sendUntilCut(Socket socket, String text, String andThen, int millis) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.setSoTimeout(millis);
        StringBuilder got = new StringBuilder();
        String next = andThen;
        for (int bytes = 0; bytes < 400; bytes++) {
            try {
                for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
                    got.append((char) c);
                }
                return got.toString();
            } catch (SocketTimeoutException _) {
                out.write((next + "x").getBytes(StandardCharsets.ISO_8859_1));
                next = "";
            } catch (IOException _) {
                return got.toString();
            }
        }
        throw new AssertionError("never cut; got " + got);
    }
}

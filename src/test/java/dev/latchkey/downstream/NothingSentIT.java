package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.protocol.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The failures that prove that not a byte left.
class NothingSentIT {

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
    @ValueSource(strings = {"http", "https"})
    void refusedConnection(String scheme) throws IOException {
        int port;
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = taken.getLocalPort();
        }

        assertThat(sendTo(scheme + "://127.0.0.1:" + port)).isEqualTo(new Outcome.NotSent("connection refused"));
    }

    @Test
    void unknownName() {
        assertThat(sendTo("http://no-such-name.invalid")).isInstanceOfSatisfying(
                Outcome.NotSent.class, notSent -> assertThat(notSent.reason()).startsWith("name not resolved"));
    }

    /// A listener that accepts nothing, and whose queue is full.
    @Test
    void connectThatIsNotAnswered() throws IOException {
        List<Socket> queue = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = new InetSocketAddress(full.getInetAddress(), full.getLocalPort());
            fill(address, queue);

            assertThat(sendTo("http://127.0.0.1:" + full.getLocalPort()))
                    .isEqualTo(new Outcome.NotSent("connect timed out"));
        } finally {
            for (Socket socket : queue) {
                socket.close();
            }
        }
    }

    private static void fill(InetSocketAddress address, List<Socket> queue) throws IOException {
        boolean fits = true;
        while (fits) {
            Socket socket = new Socket();
            queue.add(socket);
            try {
                socket.connect(address, 300);
            } catch (SocketTimeoutException _) {
                fits = false;
            }
        }
    }

    @Test
    void peerThatDoesNotSpeakTls() {
        assertThat(sendTo("https://127.0.0.1:" + harness.downstream.port()))
                .isEqualTo(new Outcome.NotSent("TLS handshake failed"));
        assertThat(harness.downstream.received()).isEmpty();
    }

    @Test
    void peerThatClosesInTheHandshake() {
        harness.downstream.closeNextConnections(1);

        assertThat(sendTo("https://127.0.0.1:" + harness.downstream.port()))
                .isEqualTo(new Outcome.NotSent("TLS handshake failed"));
        assertThat(harness.downstream.connections()).isEqualTo(1);
    }

    private Outcome sendTo(String url) {
        StrictClient.Settings settings =
                new StrictClient.Settings(URI.create(url), Duration.ofSeconds(2), 4, Harness.CAP, false);
        try (StrictClient client = new StrictClient(settings, harness.watchdog, harness.clocks)) {
            return client.send(Harness.post("/a"), harness.open(), Harness.PATIENCE, new Harness.Spill());
        }
    }
}

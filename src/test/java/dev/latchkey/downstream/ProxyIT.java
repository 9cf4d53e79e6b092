package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import dev.latchkey.tls.LatestTls;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The way through a proxy: what it is told, and which failures there sent nothing.
class ProxyIT {

    private static final String CREDENTIALS =
            "Basic " + Base64.getEncoder().encodeToString("ann:canary".getBytes(StandardCharsets.US_ASCII));

    private Harness harness;
    private RawDownstream proxy;

    @BeforeEach
    void start() throws IOException {
        harness = new Harness();
        proxy = RawDownstream.start();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        harness.close();
    }

    private Outcome send(String url, int port) {
        try (StrictClient client = new StrictClient(
                Harness.settings(URI.create(url), 8, false), LatestTls.usual(),
                new EgressProxy("127.0.0.1", port, () -> CREDENTIALS), harness.watchdog, harness.clocks)) {
            return client.send(Harness.post("/a?b=c"), harness.open(), Harness.PATIENCE, new Harness.Spill());
        }
    }

    @Test
    void plainRequestIsGivenToTheProxyWhole() {
        assertThat(send("http://payments.example/v1", proxy.port())).isInstanceOf(Outcome.Answered.class);

        assertThat(proxy.received()).singleElement().satisfies(it -> {
            assertThat(it.method()).isEqualTo("POST");
            assertThat(it.target()).isEqualTo("http://payments.example/v1/a?b=c");
            assertThat(it.header("Host")).isEqualTo("payments.example");
            assertThat(it.header("Proxy-Authorization")).isEqualTo(CREDENTIALS);
            assertThat(it.text()).isEqualTo("{\"amount\":1}");
        });
    }

    @Test
    void proxyThatBreaksOffAPlainRequestMayHavePassedItOn() {
        proxy.next(Step.reset());

        assertThat(send("http://payments.example", proxy.port())).isInstanceOfSatisfying(
                Outcome.Unknown.class, it -> assertThat(it.cause()).isNotEqualTo(Cause.NOT_SENT));
        assertThat(proxy.received()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 502 Bad Gateway\r\n\r\n",
        "HTTP/1.1 301 Moved\r\nLocation: /\r\n\r\n",
        "nonsense\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\nmore than it may say",
        "HTTP/1.1 200 OK\r\n"
    })
    void proxyThatMakesNoTunnelSentNothing(String answer) {
        proxy.next(Step.rawThenClose(answer));

        assertThat(send("https://payments.example:8443", proxy.port())).isInstanceOfSatisfying(
                Outcome.NotSent.class, it -> assertThat(it.reason()).contains("proxy").doesNotContain("canary"));
        assertThat(proxy.received()).singleElement().satisfies(it -> {
            assertThat(it.method()).isEqualTo("CONNECT");
            assertThat(it.target()).isEqualTo("payments.example:8443");
            assertThat(it.header("Host")).isEqualTo("payments.example:8443");
            assertThat(it.header("Proxy-Authorization")).isEqualTo(CREDENTIALS);
            assertThat(it.body()).isEmpty();
        });
    }

    @Test
    void downstreamBehindATunnelThatIsNoTlsServerSentNothing() {
        proxy.next(Step.rawThenClose("HTTP/1.1 200 OK\r\n\r\n"));

        assertThat(send("https://payments.example", proxy.port())).isEqualTo(
                new Outcome.NotSent("TLS handshake failed"));
    }

    @Test
    void refusingProxySentNothing() {
        assertThat(send("http://payments.example", 1)).isEqualTo(new Outcome.NotSent("connection refused (proxy)"));
        assertThat(send("https://payments.example", 1)).isEqualTo(new Outcome.NotSent("connection refused (proxy)"));
    }

    @Test
    void credentialsAreNotShown() {
        assertThat(new EgressProxy("proxy", 3128, () -> CREDENTIALS)).hasToString("proxy:3128");
    }
}

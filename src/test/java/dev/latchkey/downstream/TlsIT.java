package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.http.Body;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The same client over TLS: whom it trusts, and that the layer hides nothing from it.
class TlsIT {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    static Path folder;

    private static SSLContext rightName;
    private static SSLContext otherName;

    private Harness harness;
    private RawDownstream downstream;
    private StrictClient client;

    @BeforeAll
    static void makeCertificates() throws Exception {
        rightName = context("right", "ip:127.0.0.1,dns:localhost");
        otherName = context("other", "dns:other.example");
    }

    @BeforeEach
    void start() throws Exception {
        harness = new Harness();
        downstream = RawDownstream.startTls(rightName);
        client = client(downstream.url(), rightName);
    }

    @AfterEach
    void stop() throws Exception {
        client.close();
        downstream.close();
        harness.close();
    }

    private StrictClient client(URI url, SSLContext trust) {
        return new StrictClient(Harness.settings(url, 8, false), trust, harness.watchdog, harness.clocks);
    }

    private Outcome send(StrictClient by, String path, Duration patience) {
        return by.send(Harness.post(path), harness.open(), patience, new Harness.Spill());
    }

    @Test
    void trustedDownstreamAnswers() {
        downstream.at("/a", Step.reply(201).body("made"));

        assertThat(send(client, "/a", Harness.PATIENCE)).isInstanceOfSatisfying(
                Outcome.Answered.class, answered -> assertThat(answered.body()).isEqualTo(Body.ofUtf8("made")));
        assertThat(downstream.receivedAt("/a")).hasSize(1);
    }

    @Test
    void downstreamIsFoundByName() {
        try (StrictClient byName = client(URI.create("https://localhost:" + downstream.port()), rightName)) {
            assertThat(send(byName, "/a", Harness.PATIENCE)).isInstanceOf(Outcome.Answered.class);
        }
    }

    @Test
    void quietConnectionIsUsedAgain() {
        for (int i = 0; i < 5; i++) {
            assertThat(send(client, "/a", Harness.PATIENCE)).isInstanceOf(Outcome.Answered.class);
        }
        assertThat(downstream.connections()).isEqualTo(1);
    }

    @Test
    void connectionClosedWhileIdleIsFoundOut() throws Exception {
        send(client, "/a", Harness.PATIENCE);
        downstream.resetOpenConnections();
        await().until(() -> downstream.openConnections() == 0);

        assertThat(send(client, "/b", Harness.PATIENCE)).isInstanceOf(Outcome.Answered.class);
        assertThat(downstream.receivedAt("/b")).hasSize(1);
    }

    @Test
    void bytesBehindAResponseAreNobodysAnswer() {
        downstream.at("/a", Step.raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n"));
        send(client, "/a", Harness.PATIENCE);

        assertThat(send(client, "/b", Harness.PATIENCE)).isInstanceOf(Outcome.Answered.class);
        assertThat(downstream.connections()).isEqualTo(2);
    }

    @Test
    void strangerGetsNothing() {
        try (StrictClient usual = new StrictClient(
                Harness.settings(downstream.url(), 8, false), harness.watchdog, harness.clocks)) {
            assertThat(send(usual, "/a", Harness.PATIENCE)).isEqualTo(new Outcome.NotSent("TLS handshake failed"));
        }
        assertThat(downstream.received()).isEmpty();
    }

    @Test
    void certificateForAnotherNameGetsNothing() throws Exception {
        try (RawDownstream other = RawDownstream.startTls(otherName);
                StrictClient trusting = client(other.url(), otherName)) {
            assertThat(send(trusting, "/a", Harness.PATIENCE)).isEqualTo(new Outcome.NotSent("TLS handshake failed"));
            assertThat(other.received()).isEmpty();
        }
    }

    @Test
    void deathAfterTheRequestIsInDoubt() {
        for (Step death : List.of(Step.close(), Step.reset(), Step.early(Step.reset()))) {
            downstream.at("/die", death);

            assertThat(send(client, "/die", Harness.PATIENCE)).isEqualTo(new Outcome.Unknown(Cause.CONNECTION_LOST));
        }
        assertThat(downstream.receivedAt("/die")).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 16 * 1024 * 1024})
    void hangEndsAtPatience(int size) {
        // A first handshake takes long; the patience here is for the answer.
        send(client, "/warm", Harness.PATIENCE);
        Gate gate = new Gate();
        downstream.at("/hang", Step.early(gate.before(Step.hang())));

        Outcome outcome = client.send(
                Harness.forward("POST", "/hang", new byte[size]),
                harness.open(),
                Duration.ofSeconds(2),
                new Harness.Spill());
        gate.open();

        assertThat(outcome).isEqualTo(new Outcome.Unknown(Cause.TIMEOUT));
        assertThat(downstream.receivedAt("/hang")).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void largeBodiesComeThroughBothWays() {
        byte[] body = new byte[90_000];
        body[89_999] = 7;
        downstream.at("/a", (request, wire) -> Step.reply(200).body(request.body()).play(request, wire));

        Outcome outcome = client.send(
                Harness.forward("POST", "/a", body), harness.open(), Harness.PATIENCE, new Harness.Spill());

        assertThat(outcome).isInstanceOfSatisfying(
                Outcome.Answered.class, answered -> assertThat(answered.body()).isEqualTo(Body.of(body)));
    }

    private static SSLContext context(String name, String subjects) throws Exception {
        Path store = folder.resolve(name + ".p12");
        Process keytool = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name, "-validity", "2",
                "-ext", "san=" + subjects, "-storetype", "PKCS12", "-storepass", new String(PASSWORD),
                "-keystore", store.toString())
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD);
        }
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(name, keys.getCertificate(name));
        KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(keys, PASSWORD);
        TrustManagerFactory others = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        others.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), others.getTrustManagers(), null);
        return context;
    }
}

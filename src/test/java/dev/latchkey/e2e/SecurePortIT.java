package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.latchkey.config.TlsSettings;
import dev.latchkey.testing.Identity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Both ports by TLS: whom they show, whom they ask, and how their certificates change.
@EndToEnd
final class SecurePortIT {

    private final World world;

    SecurePortIT(World world) {
        this.world = world;
    }

    @Test
    void bothPortsSpeakTlsAndTakeNewCertificates() throws Exception {
        Path folder = Files.createTempDirectory(world.folder(), "tls");
        Identity first = Identity.of(folder, "first");
        Identity second = Identity.of(folder, "second");
        Identity caller = Identity.of(folder, "caller");
        Path certificate = folder.resolve("tls.crt");
        Path key = folder.resolve("tls.key");
        Path clientCa = folder.resolve("clients.crt");
        first.write(certificate, key);
        Files.writeString(clientCa, caller.certificate());
        String pair = "certificate: \"" + certificate + "\", key: \"${file:" + key + "}\"";
        String settings = world.settings()
                .replace("listen: { port: 0 }", "listen: { port: 0, tls: { " + pair + " } }")
                .replace(
                        "management: { port: 0 }",
                        "management: { port: 0, tls: { " + pair + ", client-ca: \"" + clientCa + "\" } }");
        try (Replica gateway = world.start(settings)) {
            SSLContext plain = TlsSettings.client(first.certificate(), null, null);
            SSLContext known = TlsSettings.client(first.certificate(), caller.certificate(), caller.key());
            SSLContext stranger = TlsSettings.client(first.certificate(), second.certificate(), second.key());
            String page = get(plain, gateway.port(), "/problems");
            assertThat(page).contains("key-reused");
            assertThat(get(known, gateway.managementPort(), "/health/ready")).contains("ready");
            assertThatThrownBy(() -> get(plain, gateway.managementPort(), "/health/ready"))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> get(stranger, gateway.managementPort(), "/health/ready"))
                    .isInstanceOf(IOException.class);
            assertThat(handshake(plain, gateway.port(), "TLSv1.2")).isNotNull();

            Path ca = Files.writeString(folder.resolve("ca.crt"), first.certificate());
            caller.write(folder.resolve("caller.crt"), folder.resolve("caller.key"));
            String url = "https://127.0.0.1:" + gateway.managementPort();
            assertThat(entries(url, "--ca", ca.toString())).contains("do not trust each other");
            assertThat(entries(
                    url, "--ca", ca.toString(), "--certificate", folder.resolve("caller.crt").toString(),
                    "--certificate-key", folder.resolve("caller.key").toString())).contains("ENTRY");

            Files.writeString(key, "broken");
            await().until(() -> get(known, gateway.managementPort(), "/metrics")
                    .contains("latchkey_certificates_stale 2.0"));
            assertThat(handshake(plain, gateway.port(), "TLSv1.3")).isEqualTo("CN=first");
            second.write(certificate, key);
            SSLContext renewed = TlsSettings.client(second.certificate(), caller.certificate(), caller.key());
            await().until(() -> shows(renewed, gateway.port(), "CN=second")
                    && shows(renewed, gateway.managementPort(), "CN=second"));
            await().until(() -> get(renewed, gateway.managementPort(), "/metrics")
                    .contains("latchkey_certificates_stale 0.0"));
        }
    }

    private static String entries(String url, String... more) {
        String[] all = new String[more.length + 3];
        all[0] = "entries";
        all[1] = "--url";
        all[2] = url;
        System.arraycopy(more, 0, all, 3, more.length);
        try (Program program = Program.run(all)) {
            return program.output();
        }
    }

    private static String get(SSLContext tls, int port, String path) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder().sslContext(tls).version(HttpClient.Version.HTTP_1_1).build()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path)).build(),
                    HttpResponse.BodyHandlers.ofString()).body();
        }
    }

    private static boolean shows(SSLContext tls, int port, String name) {
        try {
            return name.equals(handshake(tls, port, "TLSv1.3"));
        } catch (IOException _) {
            return false;
        }
    }

    /// Whom the port shows.
    private static @Nullable String handshake(SSLContext tls, int port, String version) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) tls.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setEnabledProtocols(new String[] {version});
            socket.startHandshake();
            return socket.getSession().getPeerCertificates()[0] instanceof X509Certificate shown
                    ? shown.getSubjectX500Principal().getName()
                    : null;
        }
    }
}

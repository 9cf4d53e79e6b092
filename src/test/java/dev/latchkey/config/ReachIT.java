package dev.latchkey.config;

import static dev.latchkey.config.SettingsText.problems;
import static dev.latchkey.config.SettingsText.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.testing.Certificate;
import dev.latchkey.tls.TlsParts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `tls`, `proxy` and `oauth2` of a downstream: what they say, and what is wrong with them.
class ReachIT {

    @TempDir
    static Path folder;

    private static Certificate ours;
    private static Certificate others;

    @BeforeAll
    static void make() throws Exception {
        ours = Certificate.make(folder, "ours", "EC");
        others = Certificate.make(folder, "others", "RSA");
    }

    private static String downstream(String url, String... lines) {
        return """
                ledger: { data-dir: d }
                routes:
                  - name: payments
                    prefix: /payments
                    downstream:
                      url: %s
                      %s
                """.formatted(url, String.join("\n      ", lines));
    }

    private static String https(String... lines) {
        return downstream("https://payments.internal", lines);
    }

    private static DownstreamTls tls(String yaml) throws SettingsException {
        return Objects.requireNonNull(route(yaml).downstream().reach().tls());
    }

    private static ProxySettings proxy(String yaml) throws SettingsException {
        return Objects.requireNonNull(route(yaml).downstream().reach().proxy());
    }

    private static OAuth2Settings oauth2(String yaml) throws SettingsException {
        return Objects.requireNonNull(route(yaml).downstream().oauth2());
    }

    private static String text(@Nullable SecretText secret) {
        return Objects.requireNonNull(secret).get();
    }

    private static String file(Path path) {
        return "\"${file:" + path + "}\"";
    }

    private static void assertProblem(String yaml, String name, String part) {
        assertThat(problems(yaml)).singleElement().asString()
                .startsWith("latchkey.yaml:7: routes[0].downstream." + name + ": ").contains(part)
                .doesNotContain("MII");
    }

    @Test
    void certificateKeyAndAuthorityComeFromFiles() throws SettingsException {
        for (Certificate each : List.of(ours, others)) {
            TlsParts parts = tls(https("tls: { certificate: " + file(each.certificate()) + ", key: "
                    + file(each.key()) + ", ca: " + file(ours.certificate()) + " }"))
                    .parts();

            assertThat(parts.chain()).hasSize(1);
            assertThat(parts.key()).isNotNull();
            assertThat(parts.authorities()).hasSize(1);
            assertThat(parts).hasToString("(hidden)");
        }
    }

    @Test
    void authorityAloneIsEnough() throws SettingsException {
        TlsParts parts =
                tls(https("tls: { ca: " + file(ours.certificate()) + " }")).parts();

        assertThat(parts.chain()).isEmpty();
        assertThat(parts.key()).isNull();
    }

    @Test
    void whatDoesNotFitTogetherIsSaid() {
        assertProblem(https("tls: { certificate: " + file(ours.certificate()) + " }"), "tls.key", "missing");
        assertProblem(https("tls: { key: " + file(ours.key()) + " }"), "tls.certificate", "missing");
        assertProblem(
                https("tls: { certificate: " + file(ours.certificate()) + ", key: " + file(others.key()) + " }"),
                "tls.key", "not the certificate's");
        assertProblem(https("tls: { ca: " + file(ours.key()) + " }"), "tls.ca", "no certificates in PEM");
        assertProblem(
                https("tls: { certificate: " + file(ours.certificate()) + ", key: " + file(ours.certificate()) + " }"),
                "tls.key", "no private key in PEM");
        assertProblem(
                https("tls: { certificate: " + file(ours.certificate())
                        + ", key: \"-----BEGIN RSA PRIVATE KEY-----\" }"),
                "tls.key", "openssl pkcs8");
        assertProblem(
                downstream("http://payments.internal", "tls: { ca: " + file(ours.certificate()) + " }"), "tls",
                "begins with http");
    }

    @Test
    void whatIsCutOffIsSaid(@TempDir Path cut) throws Exception {
        String key = Files.readString(ours.key());
        String certificate = Files.readString(ours.certificate());
        int middle = key.length() / 2;
        for (String part : List.of(key.substring(0, middle), key.substring(middle))) {
            Path file = Files.writeString(cut.resolve("key"), part);
            assertProblem(
                    https("tls: { certificate: " + file(ours.certificate()) + ", key: " + file(file) + " }"),
                    "tls.key", "this key is cut off: it lacks its BEGIN or its END line; copy the whole file");
        }
        // Each of them: one length makes bad Base64, another good Base64 of half a key.
        for (int less = 5; less <= 8; less++) {
            int end = key.indexOf("\n-----END");
            Path file = Files.writeString(cut.resolve("key"), key.substring(0, end - less) + key.substring(end));
            assertProblem(
                    https("tls: { certificate: " + file(ours.certificate()) + ", key: " + file(file) + " }"),
                    "tls.key", "this key is damaged: what stands between its BEGIN and its END line");
        }
        Path file = Files.writeString(cut.resolve("ca"), certificate + certificate.substring(0, middle));
        assertProblem(https("tls: { ca: " + file(file) + " }"), "tls.ca", "a certificate is cut off");
        int end = certificate.indexOf("\n-----END");
        Files.writeString(file, certificate.substring(0, end - 64) + certificate.substring(end));
        assertProblem(https("tls: { ca: " + file(file) + " }"), "tls.ca", "a certificate is damaged");
    }

    @Test
    void filesThatAreBeingReplacedDoNotFitAndAreToldApart(@TempDir Path changing) throws Exception {
        Path certificate = Files.copy(ours.certificate(), changing.resolve("crt"));
        Path key = Files.copy(ours.key(), changing.resolve("key"));
        DownstreamTls tls = tls(https("tls: { certificate: " + file(certificate) + ", key: " + file(key) + " }"));
        Files.writeString(certificate, Files.readString(others.certificate()));
        assertThatThrownBy(tls::parts).isInstanceOf(IllegalArgumentException.class);
        Files.writeString(key, Files.readString(others.key()));
        assertThat(tls.parts().chain().getFirst().getSubjectX500Principal().getName()).isEqualTo("CN=others");
    }

    @Test
    void proxyHasHostAndPort() throws SettingsException {
        ProxySettings proxy = proxy(https("proxy: { host: proxy.internal, port: 3128, user: ann, password: secret }"));
        assertThat(proxy.host()).isEqualTo("proxy.internal");
        assertThat(proxy.port()).isEqualTo(3128);
        assertThat(text(proxy.user()) + text(proxy.password())).isEqualTo("annsecret");
        assertThat(proxy.toString()).doesNotContain("secret");

        assertProblem(https("proxy: { port: 1 }"), "proxy.host", "missing");
        assertProblem(https("proxy: { host: \"http://p\", port: 1 }"), "proxy.host", "without http://");
        assertProblem(https("proxy: { host: p, port: 0 }"), "proxy.port", "out of range");
        assertProblem(https("proxy: { host: p, port: 1, password: x }"), "proxy.user", "missing");
        assertProblem(https("proxy: { host: p, port: 1, user: \"a:b\" }"), "proxy.user", "colon");
    }

    @Test
    void oauth2IsRead() throws SettingsException {
        OAuth2Settings oauth2 = oauth2(https(
                "oauth2: { token-url: \"https://id.internal/token/\", client-id: latchkey, client-secret: secret, scope: a,"
                        + " audience: b, client-auth: post, timeout: 1s, proxy: { host: p, port: 1 } }"));

        assertThat(oauth2.tokenUrl()).hasToString("https://id.internal/token/");
        assertThat(oauth2.clientId()).isEqualTo("latchkey");
        assertThat(oauth2.clientSecret().get()).isEqualTo("secret");
        assertThat(oauth2.clientAuth()).isEqualTo(OAuth2Settings.ClientAuth.POST);
        assertThat(oauth2.scope()).isEqualTo("a");
        assertThat(oauth2.audience()).isEqualTo("b");
        assertThat(oauth2.timeout()).hasSeconds(1);
        assertThat(oauth2.reach().proxy()).isNotNull();
        assertThat(oauth2.toString()).doesNotContain("secret");
    }

    @Test
    void whatIsWrongWithOauth2IsSaid() {
        String least = "token-url: \"https://id\", client-id: i, client-secret: s";
        assertProblem(https("oauth2: { client-id: i, client-secret: s }"), "oauth2.token-url", "missing");
        assertProblem(https("oauth2: { token-url: \"https://id\", client-secret: s }"), "oauth2.client-id", "missing");
        assertProblem(https("oauth2: { token-url: \"https://id\", client-id: i }"), "oauth2.client-secret", "missing");
        assertProblem(https("oauth2: { " + least + ", client-auth: magic }"), "oauth2.client-auth", "basic, post");
        assertProblem(https("oauth2: { " + least + ", scop: x }"), "oauth2.scop", "did you mean scope?");
        assertProblem(
                https("headers: { Authorization: x }", "oauth2: { " + least + " }"), "headers.Authorization",
                "token of oauth2");
    }
}

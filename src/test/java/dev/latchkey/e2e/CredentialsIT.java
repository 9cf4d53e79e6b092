package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Certificate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A downstream that asks for a client certificate, shows one of a private authority, and wants a token: as its user sets it
/// up.
@EndToEnd
final class CredentialsIT {

    private final World world;

    CredentialsIT(World world) {
        this.world = world;
    }

    @Test
    void certificatesAndTokensOpenTheDownstreamAndNothingIsSentWithout(@TempDir Path folder) throws Exception {
        Certificate theirs = Certificate.make(folder, "theirs", "EC");
        Certificate ours = Certificate.make(folder, "ours", "EC");
        Certificate strangers = Certificate.make(folder, "strangers", "EC");
        Path shown = Files.copy(ours.certificate(), folder.resolve("shown.crt"));
        Path key = Files.copy(ours.key(), folder.resolve("shown.key"));
        Path trusted = Files.copy(strangers.certificate(), folder.resolve("ca.crt"));
        try (RawDownstream downstream = RawDownstream.startMutualTls(theirs.trusting(ours));
                RawDownstream tokens = RawDownstream.start();
                Replica gateway = world.start("""
                        listen: { port: 0 }
                        management: { port: 0 }
                        ledger: { %s }
                        clients: open
                        routes:
                          - name: locked
                            prefix: /locked
                            downstream:
                              url: %s
                              tls: { certificate: "${file:%s}", key: "${file:%s}", ca: "${file:%s}" }
                              oauth2:
                                token-url: %s/token
                                client-id: latchkey
                                client-secret: canary-credential-oauth2
                        """.formatted(world.ledger(), downstream.url(), shown, key, trusted, tokens.url()))) {
            String entry = Canary.key();
            tokens.next(Step.json(503, "{}"));
            JsonPath refused = Expect.refusedForNow(post(gateway, entry), 502, "not-forwarded");
            assertThat(refused.getString("detail")).contains("no token: the token server answered 503");
            assertThat(refused.getString("forwarded")).isEqualTo("no");

            tokens.always("/token", Step.json(200,
                    "{\"access_token\":\"canary-credential-token\",\"token_type\":\"bearer\",\"expires_in\":3600}"));
            // The wrong authority: the handshake fails.
            await().untilAsserted(() -> assertThat(
                    Expect.refusedForNow(post(gateway, entry), 502, "not-forwarded").getString("detail"))
                    .contains("TLS handshake failed"));
            assertThat(downstream.received()).isEmpty();

            Files.copy(theirs.certificate(), trusted, StandardCopyOption.REPLACE_EXISTING);
            Expect.fresh(post(gateway, entry), 201);
            Expect.replayed(post(gateway, entry), 201);
            assertThat(downstream.received()).singleElement()
                    .satisfies(
                            it -> assertThat(it.header("Authorization")).isEqualTo("Bearer canary-credential-token"));
            assertThat(tokens.receivedAt("/token")).last()
                    .satisfies(it -> assertThat(it.header("Authorization")).startsWith("Basic "));
            assertThat(gateway.management().get("/metrics").asString()).doesNotContain("canary-credential");
        }
    }

    private static Response post(Replica gateway, String key) {
        return gateway.open().header("Idempotency-Key", key).contentType("application/json").body("{}")
                .post("/locked/payments");
    }
}

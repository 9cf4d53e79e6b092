package dev.latchkey.config;

import static dev.latchkey.config.SettingsText.read;
import static dev.latchkey.config.SettingsText.route;
import static dev.latchkey.config.SettingsText.routeWith;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.protocol.KeyTemplate;
import dev.latchkey.testing.Identity;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every name, with a value that is not the default.
class SettingsNamesTest {

    private static final String KEYS = """
            {"keys": [{"kty": "EC", "crv": "P-256", "kid": "1",
             "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
             "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
            """;

    @TempDir
    private Path folder;

    private static final String DIGEST = "0123456789abcdef".repeat(4);
    private static final String OTHER_DIGEST = "fedcba9876543210".repeat(4);

    @Test
    void listenAndManagement() throws SettingsException {
        Settings settings = read("""
                listen: { host: localhost, port: 0 }
                management: { host: "::1", port: 65535 }
                ledger: { data-dir: d }
                """);
        assertThat(settings.listen()).isEqualTo(new Listen("localhost", 0));
        assertThat(settings.management()).isEqualTo(new Listen("::1", 65535));
    }

    @Test
    void tls() throws Exception {
        Identity port = Identity.of(folder, "port");
        port.write(folder.resolve("tls.crt"), folder.resolve("tls.key"));
        Path clients = Files.writeString(folder.resolve("clients.crt"), port.certificate());
        Settings settings = read("""
                ledger: { data-dir: d }
                listen: { tls: { certificate: %1$s/tls.crt, key: %1$s/tls.key } }
                management:
                  tls:
                    certificate: ${CERTIFICATE}
                    key: ${file:%1$s/tls.key}
                    client-ca: %2$s
                    client-certificates: wanted
                """.formatted(folder, clients), Map.of("CERTIFICATE", port.certificate()));
        TlsSettings calls = Objects.requireNonNull(settings.listen().tls());
        assertThat(calls.texts()).containsExactly(
                port.certificate().strip(), port.key().strip(), "");
        assertThat(calls.clientCertificates()).isEqualTo(TlsSettings.ClientCertificates.NONE);
        assertThat(calls.toString()).doesNotContain("BEGIN");
        TlsSettings management = Objects.requireNonNull(settings.management().tls());
        assertThat(management.texts()).containsExactly(
                port.certificate(), port.key().strip(), port.certificate().strip());
        assertThat(management.clientCertificates()).isEqualTo(TlsSettings.ClientCertificates.WANTED);
        assertThat(management.context()).isNotNull();
    }

    @Test
    void ledger() throws SettingsException {
        LedgerSettings ledger = read("""
                ledger:
                  url: jdbc:postgresql://db:5432/latchkey
                  user: latchkey
                  password: secret
                  migrate: false
                  connections: 3
                  writer: plain
                  durability: replicated
                  lease-margin: 2s
                  settle-delay: 1m
                """).ledger();
        assertThat(ledger.place()).isInstanceOfSatisfying(LedgerPlace.Server.class, server -> {
            assertThat(server.url()).isEqualTo("jdbc:postgresql://db:5432/latchkey");
            assertThat(server.user()).isEqualTo("latchkey");
            assertThat(server.password()).extracting(SecretText::get).isEqualTo("secret");
        });
        assertThat(ledger)
                .isEqualTo(new LedgerSettings(
                        ledger.place(), false, 3, Writer.PLAIN, Durability.REPLICATED, Duration.ofSeconds(2),
                        Duration.ofMinutes(1), EncryptionSettings.none()));
    }

    @Test
    void unsafeDurability() throws SettingsException {
        assertThat(read("ledger: { data-dir: d, durability: unsafe }").ledger().durability())
                .isEqualTo(Durability.UNSAFE);
    }

    @Test
    void openClients() throws SettingsException {
        assertThat(read("listen: { host: 0.0.0.0 }\nledger: { data-dir: d }\nclients: open").clients())
                .isEqualTo(new Clients.Open(true));
    }

    @Test
    void clients() throws SettingsException {
        Settings settings = read(SettingsText.ONE_ROUTE
                + """
                        clients:
                          - { name: pipelines, token-sha256: %s, formerly: [older, old], routes: [payments], forwards: 7, calls-per-second: 30 }
                          - { name: reports, tokens-sha256: [%s] }
                        """
                        .formatted(DIGEST.toUpperCase(java.util.Locale.ROOT), OTHER_DIGEST));
        ClientSettings pipelines =
                new ClientSettings("pipelines", List.of(DIGEST), false, List.of("older", "old"), Set.of("payments"),
                        new ClientBounds(7, 30));
        assertThat(settings.clients())
                .isEqualTo(new Clients.Listed(List.of(
                        pipelines,
                        new ClientSettings("reports", List.of(OTHER_DIGEST), false, List.of(), null,
                                ClientBounds.USUAL)),
                        false));
        assertThat(pipelines.oldestName()).isEqualTo("older");
    }

    @Test
    void jwt() throws Exception {
        Path file = Files.writeString(folder.resolve("jwks.json"), KEYS);
        Settings settings = read(SettingsText.ONE_ROUTE + """
                jwt:
                  issuer: https://login.example
                  audience: [latchkey, other]
                  jwks-file: %s
                  claim: client_id
                  algorithms: [ES256]
                  leeway: 5s
                clients:
                  - { name: pipelines, jwt: true, routes: [payments] }
                """.formatted(file));
        JwtSettings jwt = Objects.requireNonNull(settings.jwt());
        assertThat(jwt).isEqualTo(new JwtSettings(
                "https://login.example", Set.of("latchkey", "other"), jwt.keys(), "client_id", Set.of("ES256"),
                Duration.ofSeconds(5), false));
        assertThat(jwt.keys()).isInstanceOf(JwtSettings.KeyPlace.InFile.class);
        assertThat(settings.clients()).isEqualTo(new Clients.Listed(List.of(new ClientSettings(
                "pipelines", List.of(), true, List.of(), Set.of("payments"), ClientBounds.USUAL)), true));
    }

    @Test
    void jwtOnlyForListedClients() throws SettingsException {
        Settings settings = read("""
                ledger: { data-dir: d }
                jwt: { issuer: i, audience: a, jwks-url: "https://login.example/keys", listed-only: true }
                clients: [{ name: pipelines, jwt: true }]
                operators: [{ name: ann, jwt: true }]
                """);
        JwtSettings jwt = Objects.requireNonNull(settings.jwt());
        assertThat(jwt.claim()).isEqualTo("sub");
        assertThat(jwt.leeway()).isEqualTo(Duration.ofSeconds(30));
        assertThat(jwt.keys())
                .isEqualTo(new JwtSettings.KeyPlace.Published(URI.create("https://login.example/keys")));
        assertThat(settings.clients().usersOf("x")).isEqualTo(1);
    }

    @Test
    void operators() throws SettingsException {
        assertThat(read("ledger: { data-dir: d }\noperators: [{ name: ann, token-sha256: " + DIGEST + " }]")
                .operators())
                .containsExactly(
                        new ClientSettings("ann", List.of(DIGEST), false, List.of(), null, ClientBounds.USUAL));
    }

    @Test
    void limits() throws SettingsException {
        assertThat(read("""
                ledger: { data-dir: d }
                limits:
                  request-body: 2MiB
                  response-body: 3MiB
                  header-fields: 8KiB
                  forwards: 10
                  client-forwards: 5
                  client-calls-per-second: 9
                  waiting: 20
                  bytes: 1000000
                  caller-time: 5s
                  caller-rate: 1KiB
                  batch: 3
                  batches: 4
                  batch-bytes: 2KiB
                """).limits()).isEqualTo(new Limits(
                2_097_152, 3_145_728, 8_192, 10, 5, 9, 20, 1_000_000, Duration.ofSeconds(5), 1_024, 3, 4, 2_048));
    }

    @Test
    void waitCacheUpkeepAndDrain() throws SettingsException {
        Settings settings = read("""
                ledger: { data-dir: d }
                wait: { max: 20s }
                cache: { size: 1GiB }
                upkeep: { every: 250ms }
                drain: { delay: 0s, timeout: 1m }
                """);
        assertThat(settings.waiting()).isEqualTo(new WaitSettings(Duration.ofSeconds(20)));
        assertThat(settings.cache()).isEqualTo(new CacheSettings(1_073_741_824));
        assertThat(settings.upkeep()).isEqualTo(new Upkeep(Duration.ofMillis(250)));
        assertThat(settings.drain()).isEqualTo(new Drain(Duration.ZERO, Duration.ofMinutes(1)));
    }

    @Test
    void telemetry() throws SettingsException {
        TelemetrySettings telemetry = read("""
                ledger: { data-dir: d }
                telemetry:
                  log-level: warn
                  sampling: 0.25
                  otlp: { endpoint: "http://collector:4318/", headers: { Authorization: Bearer abc } }
                """).telemetry();
        assertThat(telemetry.logLevel()).isEqualTo(LogLevel.WARN);
        assertThat(telemetry.sampling()).isEqualTo(0.25);
        OtlpSettings otlp = Objects.requireNonNull(telemetry.otlp());
        assertThat(otlp.traces()).isEqualTo(URI.create("http://collector:4318/v1/traces"));
        assertThat(otlp.currentHeaders()).containsExactly(Map.entry("Authorization", "Bearer abc"));
        assertThat(telemetry.toString()).doesNotContain("abc");
    }

    @Test
    void claims() throws SettingsException {
        assertThat(read("""
                ledger: { data-dir: d }
                claims: { lease: 20s, lease-max: 2h, retention: { response: 1d, entry: 2d } }
                """).claims())
                .isEqualTo(new ClaimSettings(
                        Duration.ofSeconds(20), Duration.ofHours(2),
                        new Retention(Duration.ofDays(1), Duration.ofDays(2), Duration.ofHours(1))));
    }

    @Test
    void downstream() throws SettingsException {
        DownstreamSettings downstream = route("""
                ledger: { data-dir: d }
                routes:
                  - name: payments
                    prefix: /payments
                    downstream:
                      url: http://payments.internal:8443/v1/
                      connect-timeout: 1s
                      timeout: 20s
                      max-concurrent: 12
                      headers: { Authorization: Bearer abc }
                      key: { value: as-sent, header: PayPal-Request-Id, form: quoted }
                      deduplicates: 24h
                """).downstream();
        assertThat(downstream.headers()).singleElement().satisfies(header -> {
            assertThat(header.name()).isEqualTo("Authorization");
            assertThat(header.value().get()).isEqualTo("Bearer abc");
        });
        assertThat(downstream)
                .isEqualTo(new DownstreamSettings(
                        URI.create("http://payments.internal:8443/v1"),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(20),
                        12,
                        downstream.headers(),
                        new DownstreamKeySettings(
                                DownstreamKeySettings.Value.AS_SENT,
                                "PayPal-Request-Id",
                                DownstreamKeySettings.Form.QUOTED),
                        Duration.ofHours(24),
                        Reach.usual(),
                        null));
    }

    @Test
    void deduplicatingForEverOutlivesEverybody() throws SettingsException {
        assertThat(route(SettingsText.downstreamWith("deduplicates: forever"))
                .downstream()
                .deduplicates())
                .isEqualTo(Duration.ofDays(36_500));
    }

    @Test
    void optionalKey() throws SettingsException {
        assertThat(route(routeWith("key: optional")).key()).isEqualTo(new KeyRule.Optional());
        assertThat(route(routeWith("key: required")).key()).isEqualTo(new KeyRule.Required());
    }

    @Test
    void keyTemplate() throws SettingsException {
        String template = "order-shipped:{/order_id}:{/run_date}";
        assertThat(route(routeWith("key: \"" + template + "\"")).key())
                .isEqualTo(new KeyRule.Derived(KeyTemplate.parse(template)));
    }

    @Test
    void policy() throws SettingsException {
        RouteSettings route = route(routeWith(
                "in-doubt: resend",
                "fingerprint: { ignore: [/requested_at], headers: [Stripe-Account] }",
                "outcomes: { released: [503], recorded: [500, 501], in-doubt: [404] }",
                "corrections: refuse",
                "replay-headers: [Stripe-Version]",
                "retention: { response: 30d, entry: 400d, rejection: forever }"));
        assertThat(route)
                .isEqualTo(new RouteSettings(
                        "payments",
                        "/payments",
                        new KeyRule.Required(),
                        route.downstream(),
                        InDoubt.RESEND,
                        new FingerprintSettings(List.of("/requested_at"), List.of("Stripe-Account")),
                        new OutcomeSettings(Set.of(503), Set.of(500, 501), Set.of(404)),
                        Corrections.REFUSE,
                        List.of("Stripe-Version"),
                        null,
                        new Retention(Duration.ofDays(30), Duration.ofDays(400), null)));
    }

    @Test
    void lookup() throws SettingsException {
        assertThat(route(routeWith(
                "lookup:",
                "  path: /payments?idempotency_key={downstream-key}",
                "  executed: { status: [200], where: /data/0, response: { status: 201, body: /data/0 } }",
                "  not-executed: { status: [200, 404], unless: /data/0 }",
                "  after: 30s"))
                .lookup())
                .isEqualTo(new LookupSettings(
                        "/payments?idempotency_key={downstream-key}",
                        new LookupRule(Set.of(200), "/data/0", null),
                        new LookupResponse(201, "/data/0"),
                        new LookupRule(Set.of(200, 404), null, "/data/0"),
                        Duration.ofSeconds(30)));
    }
}

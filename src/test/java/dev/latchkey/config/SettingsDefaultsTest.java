package dev.latchkey.config;

import static dev.latchkey.config.SettingsText.ONE_ROUTE;
import static dev.latchkey.config.SettingsText.read;
import static dev.latchkey.config.SettingsText.route;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Every default, as the settings reference gives it.
class SettingsDefaultsTest {

    @Test
    void listenIsLoopback8080() throws SettingsException {
        assertThat(read(ONE_ROUTE).listen()).isEqualTo(new Listen("127.0.0.1", 8080));
    }

    @Test
    void managementIsLoopback9090() throws SettingsException {
        assertThat(read(ONE_ROUTE).management()).isEqualTo(new Listen("127.0.0.1", 9090));
    }

    @Test
    void ledgerMigratesWithEightConnectionsLocally() throws SettingsException {
        assertThat(read(ONE_ROUTE).ledger())
                .isEqualTo(new LedgerSettings(
                        new LedgerPlace.Embedded(Path.of("data")),
                        true,
                        8,
                        Writer.BATCHED,
                        Durability.LOCAL,
                        Duration.ofSeconds(10),
                        Duration.ofMinutes(5),
                        EncryptionSettings.none()));
    }

    @Test
    void ledgerUrlNeedsNeitherUserNorPassword() throws SettingsException {
        assertThat(read("ledger: { url: 'jdbc:postgresql://db/latchkey' }").ledger().place())
                .isEqualTo(new LedgerPlace.Server("jdbc:postgresql://db/latchkey", null, null));
    }

    @Test
    void withoutClientsEverybodyIsLetInSilently() throws SettingsException {
        assertThat(read(ONE_ROUTE).clients()).isEqualTo(new Clients.Open(false));
    }

    @Test
    void everyLineIsWrittenAndNoSpanIsSent() throws SettingsException {
        assertThat(read(ONE_ROUTE).telemetry()).isEqualTo(new TelemetrySettings(LogLevel.INFO, 1, null));
    }

    @Test
    void thereAreNoOperators() throws SettingsException {
        assertThat(read(ONE_ROUTE).operators()).isEmpty();
    }

    @Test
    void limitsAreThoseOfTheReference() throws SettingsException {
        long quarterOfTheHeap = Runtime.getRuntime().maxMemory() / 4;
        assertThat(read(ONE_ROUTE).limits())
                .isEqualTo(new Limits(
                        1_048_576, 4_194_304, 16_384, 1024, 1024, null, 10_000, quarterOfTheHeap,
                        Duration.ofSeconds(30), 16_384, 32, 128,
                        quarterOfTheHeap / 4));
    }

    @Test
    void oneBatchHoldsAQuarterOfTheBytes() throws SettingsException {
        assertThat(read("ledger: { data-dir: d }\nlimits: { bytes: 4MiB }").limits().batchBytes()).isEqualTo(1_048_576);
    }

    @Test
    void oneBatchHasNoMoreLinesUnderWayThanAll() throws SettingsException {
        assertThat(read("ledger: { data-dir: d }\nlimits: { batches: 7 }").limits().batch()).isEqualTo(7);
        assertThat(read("ledger: { data-dir: d }\nlimits: { batches: 700 }").limits().batch()).isEqualTo(32);
    }

    @Test
    void oneClientMayHaveAsManyForwardsAsTheReplica() throws SettingsException {
        assertThat(read("ledger: { data-dir: d }\nlimits: { forwards: 7 }").limits().clientForwards())
                .isEqualTo(7);
    }

    @Test
    void waitEndsAfter50Seconds() throws SettingsException {
        assertThat(read(ONE_ROUTE).waiting()).isEqualTo(new WaitSettings(Duration.ofSeconds(50)));
    }

    @Test
    void claimsHoldAMinuteAndAnHourAtMost() throws SettingsException {
        assertThat(read(ONE_ROUTE).claims())
                .isEqualTo(new ClaimSettings(Duration.ofMinutes(1), Duration.ofHours(1), Retention.defaults()));
    }

    @Test
    void usualLeaseIsNoLongerThanTheLongest() throws SettingsException {
        assertThat(read("ledger: { data-dir: d }\nclaims: { lease-max: 20s }").claims().lease())
                .isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void cacheHolds64MiB() throws SettingsException {
        assertThat(read(ONE_ROUTE).cache()).isEqualTo(new CacheSettings(67_108_864));
    }

    @Test
    void upkeepRunsEvery5Seconds() throws SettingsException {
        assertThat(read(ONE_ROUTE).upkeep()).isEqualTo(new Upkeep(Duration.ofSeconds(5)));
    }

    @Test
    void drainDelays5SecondsAndTakes45() throws SettingsException {
        assertThat(read(ONE_ROUTE).drain()).isEqualTo(new Drain(Duration.ofSeconds(5), Duration.ofSeconds(45)));
    }

    @Test
    void routesMayBeAbsent() throws SettingsException {
        assertThat(read("ledger: { data-dir: d }").routes()).isEmpty();
    }

    @Test
    void downstreamConnectsIn2SecondsAndAnswersIn30() throws SettingsException {
        assertThat(route(ONE_ROUTE).downstream())
                .isEqualTo(new DownstreamSettings(
                        URI.create("https://payments.internal"),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(30),
                        256,
                        List.of(),
                        new DownstreamKeySettings(
                                DownstreamKeySettings.Value.DERIVED,
                                "Idempotency-Key",
                                DownstreamKeySettings.Form.BARE),
                        null,
                        Reach.usual(),
                        null));
    }

    @Test
    void connectTimeoutIsNeverLongerThanTheTimeout() throws SettingsException {
        assertThat(route(SettingsText.downstreamWith("timeout: 500ms")).downstream().connectTimeout())
                .isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void routeHoldsToTheContract() throws SettingsException {
        RouteSettings route = route(ONE_ROUTE);
        assertThat(route)
                .isEqualTo(new RouteSettings(
                        "payments",
                        "/payments",
                        new KeyRule.Required(),
                        route.downstream(),
                        InDoubt.HOLD,
                        new FingerprintSettings(List.of(), List.of()),
                        new OutcomeSettings(Set.of(), Set.of(), Set.of()),
                        Corrections.ALLOW,
                        List.of(),
                        null,
                        new Retention(Duration.ofDays(90), null, Duration.ofHours(1))));
    }

    @Test
    void asSentRefusesCorrections() throws SettingsException {
        assertThat(route(SettingsText.downstreamWith("key: { value: as-sent }")).corrections())
                .isEqualTo(Corrections.REFUSE);
    }

    @Test
    void lookupFirstAsksAfterTheSettleDelay() throws SettingsException {
        String lookup = SettingsText.routeWith("lookup:", "  path: /p?k={key}", "  executed: { status: [200] }")
                .replace("data-dir: data", "data-dir: data, settle-delay: 7m");
        assertThat(route(lookup).lookup())
                .isEqualTo(new LookupSettings(
                        "/p?k={key}", new LookupRule(Set.of(200), null, null), null, null, Duration.ofMinutes(7)));
    }
}

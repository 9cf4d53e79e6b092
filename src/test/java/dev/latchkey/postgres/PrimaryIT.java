package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.Ledger.Claimed;
import dev.latchkey.gateway.LedgerCases;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.testing.Calm;
import dev.latchkey.testing.PostgresPair;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which server the ledger takes for the primary, where a URL names two and one of them has been replaced.
@Calm
class PrimaryIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration SERVES_AGAIN = Duration.ofSeconds(10);

    private static final String COUNT = "select count(*) from entry";

    /// A machine that is busy with other things keeps no time.
    private final boolean busy = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
            > 4 * Runtime.getRuntime().availableProcessors();

    private final LedgerCases cases = new LedgerCases();
    private final List<String> won = new ArrayList<>();

    @Test
    void frozenPrimaryIsPassedOverAndNotBelievedWhenItComesBack(@TempDir Path folder) {
        try (PostgresPair pair = PostgresPair.start(folder)) {
            String database = pair.newDatabase();
            PostgresSettings settings = settings(pair.url(database));
            try (PostgresLedger ledger = PostgresLedger.open(settings, TestLedger.CLOCKS)) {
                claim(ledger);
                pair.primary().freeze();
                pair.standby().promote();
                long promoted = System.nanoTime();
                await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).until(() -> claims(ledger));
                assertThat(Duration.ofNanos(System.nanoTime() - promoted))
                        .isLessThan(busy ? SERVES_AGAIN.multipliedBy(6) : SERVES_AGAIN);

                pair.primary().thaw();
                assertThat(pair.primary().ask("select pg_is_in_recovery()")).isEqualTo("f");
                for (int i = 0; i < 20; i++) {
                    claim(ledger);
                }
                try (PostgresLedger another = PostgresLedger.open(settings, TestLedger.CLOCKS)) {
                    claim(another);
                }
                assertThat(pair.standby().ask(database, COUNT + " where entry_id in (" + String.join(", ", won) + ")"))
                        .as("claims that were won and are on the promoted server")
                        .isEqualTo(String.valueOf(won.size()));

                pair.standby().kill();
                await().atMost(PATIENCE)
                        .until(() -> String.valueOf(refusal(ledger).getMessage())
                                .contains("another server has been promoted"));
                assertThat(pair.primary().ask(database, COUNT)).isEqualTo("1");
            }
        }
    }

    private static PostgresSettings settings(String url) {
        return new PostgresSettings(url, null, null, 4, PostgresSettings.Writer.BATCHED,
                PostgresSettings.Durability.LOCAL, true, PostgresSettings.Encryption.NONE);
    }

    private Claimed ask(Ledger ledger) {
        LedgerCases.Key key = cases.key();
        Claimed claimed = ledger.claim(new Claim(key.ask(), 7, new Grounds.NoEntry()));
        won.add("'" + key.id() + "'");
        return claimed;
    }

    private void claim(Ledger ledger) {
        assertThat(ask(ledger)).isInstanceOf(Claimed.Won.class);
    }

    private boolean claims(Ledger ledger) {
        try {
            return ask(ledger) instanceof Claimed.Won;
        } catch (LedgerUnavailable e) {
            return false;
        }
    }

    private LedgerUnavailable refusal(Ledger ledger) {
        LedgerUnavailable refusal = catchThrowableOfType(LedgerUnavailable.class, () -> ask(ledger));
        assertThat(refusal).isNotNull();
        return refusal;
    }
}

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
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `ledger.durability: replicated` on a real primary and its real standby: nothing counts that only one of them has.
@Calm
class ReplicatedIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String CANCEL_THOSE_THAT_WAIT =
            "select count(pg_cancel_backend(pid)) from pg_stat_activity where wait_event = 'SyncRep'";

    @TempDir
    private static Path folder;

    private static PostgresPair pair;

    private final LedgerCases cases = new LedgerCases();
    private String database;

    @BeforeAll
    static void startPair() {
        pair = PostgresPair.start(folder);
    }

    @AfterAll
    static void endPair() {
        pair.close();
    }

    @BeforeEach
    void makeDatabase() {
        database = pair.newDatabase();
    }

    @AfterEach
    void bringTheStandbyBack() {
        pair.startStandby();
    }

    private PostgresLedger open() {
        return open(pair.url(database));
    }

    private static PostgresLedger open(String url) {
        return PostgresLedger.open(
                new PostgresSettings(
                        url, null, null, 4, PostgresSettings.Writer.BATCHED,
                        PostgresSettings.Durability.REPLICATED, true, PostgresSettings.Encryption.NONE),
                TestLedger.CLOCKS);
    }

    private static Claimed claim(Ledger ledger, LedgerCases.Key key) {
        return ledger.claim(new Claim(key.ask(), 7, new Grounds.NoEntry()));
    }

    private static LedgerUnavailable refusal(Ledger ledger, LedgerCases.Key key) {
        LedgerUnavailable refusal = catchThrowableOfType(LedgerUnavailable.class, () -> claim(ledger, key));
        assertThat(refusal).as("a claim without a standby is refused").isNotNull();
        return refusal;
    }

    private static void awaitClaims(Ledger ledger, LedgerCases.Key key) {
        await().atMost(PATIENCE).ignoreException(LedgerUnavailable.class)
                .until(() -> claim(ledger, key) instanceof Claimed.Won);
    }

    @Test
    void withoutTheStandbyNothingIsClaimedAndNobodyWaitsLong() throws Exception {
        List<Future<Duration>> answers = new ArrayList<>();
        try (PostgresLedger ledger = open()) {
            assertThat(claim(ledger, cases.key())).isInstanceOf(Claimed.Won.class);
            assertThat(ledger.health().problem()).isNull();
            pair.stopStandby();

            await().atMost(PATIENCE).untilAsserted(
                    () -> assertThat(ledger.health().problem()).contains("no synchronous standby"));
            // More than there are connections: some find one that is open still, the others get none.
            try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 8; i++) {
                    answers.add(calls.submit(() -> timeOfRefusal(ledger)));
                }
            }
            for (Future<Duration> answer : answers) {
                assertThat(answer.get()).isLessThan(Duration.ofSeconds(10));
            }
            pair.startStandby();
            awaitClaims(ledger, cases.key());
            await().atMost(PATIENCE).until(() -> ledger.health().problem() == null);
        }
    }

    private Duration timeOfRefusal(Ledger ledger) {
        long start = System.nanoTime();
        refusal(ledger, cases.key());
        return Duration.ofNanos(System.nanoTime() - start);
    }

    @Test
    void standbyMayStandFirstInTheUrl() {
        String url = pair.url(database).replace(
                pair.primary().address() + "," + pair.standby().address(),
                pair.standby().address() + "," + pair.primary().address());
        assertThat(url).isNotEqualTo(pair.url(database));
        try (PostgresLedger ledger = open(url)) {
            assertThat(claim(ledger, cases.key())).isInstanceOf(Claimed.Won.class);
        }
    }

    /// On connections that were opened before, too: such a commit waits for nobody, and says nothing of it.
    @Test
    void withoutNamesOfStandbysNothingIsClaimed() {
        try (PostgresLedger ledger = open()) {
            assertThat(claim(ledger, cases.key())).isInstanceOf(Claimed.Won.class);
            pair.primary().reload("synchronous_standby_names = ''");
            await().atMost(PATIENCE).until(() -> isRefused(ledger));
            LedgerCases.Key key = cases.key();
            assertThat(refusal(ledger, key).commitUnknown()).isFalse();
            assertThat(pair.primary().ask(database, "select count(*) from entry where entry_id = '" + key.id() + "'"))
                    .isEqualTo("0");

            pair.primary().reload("synchronous_standby_names = 'FIRST 1 (sb)'");
            awaitClaims(ledger, cases.key());
        } finally {
            pair.primary().reload("synchronous_standby_names = 'FIRST 1 (sb)'");
        }
    }

    private boolean isRefused(Ledger ledger) {
        try {
            claim(ledger, cases.key());
            return false;
        } catch (LedgerUnavailable e) {
            return true;
        }
    }

    @Test
    void roleThatWaitsForNoStandbyIsOverruled() {
        pair.primary().execute("alter role postgres set synchronous_commit = off");
        try (PostgresLedger ledger = open()) {
            assertThat(claim(ledger, cases.key())).isInstanceOf(Claimed.Won.class);
            pair.stopStandby();

            refusal(ledger, cases.key());
        } finally {
            pair.primary().execute("alter role postgres reset synchronous_commit");
        }
    }

    @Test
    void waitForTheStandbyThatIsCancelledIsNoSuccess() throws Exception {
        LedgerCases.Key key = cases.key();
        try (PostgresLedger ledger = open(); ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(claim(ledger, cases.key())).isInstanceOf(Claimed.Won.class);
            pair.stopStandby();
            Future<LedgerUnavailable> waiting = calls.submit(() -> refusal(ledger, key));
            await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20))
                    .until(() -> !pair.primary().ask(CANCEL_THOSE_THAT_WAIT).equals("0"));

            assertThat(waiting.get().commitUnknown()).isTrue();
            assertThat(waiting.get()).hasMessageContaining("01");
            // It is there, on this server alone.
            assertThat(pair.primary().ask(database, "select count(*) from entry where entry_id = '" + key.id() + "'"))
                    .isEqualTo("1");
        }
    }

    @Test
    void ledgerStartsWithoutItsStandbyAndSaysSo() {
        LedgerCases.Key key = cases.key();
        open().close();
        pair.stopStandby();
        try (PostgresLedger ledger = open()) {
            assertThat(ledger.health().reachable()).as("it answers, though it refuses each connection").isTrue();
            assertThat(ledger.health().schemaFits()).isTrue();
            assertThat(ledger.health().problem()).contains("no synchronous standby");
            assertThat(refusal(ledger, key).commitUnknown()).isFalse();

            pair.startStandby();
            awaitClaims(ledger, key);
        }
    }
}

package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.Ledger.Purged;
import dev.latchkey.gateway.Purger;
import dev.latchkey.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The purge of many rows on a real server.
class PurgeIT {

    private static final Duration DAY = Duration.ofDays(1);
    private static TestPostgres database;
    private PostgresLedger ledger;

    @BeforeAll
    static void create() {
        database = TestPostgres.create();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    @BeforeEach
    void open() {
        ledger = PostgresLedger.open(TestLedger.settings(database), TestLedger.CLOCKS);
        database.run("truncate entry, response, entry_event");
    }

    @AfterEach
    void close() {
        ledger.close();
    }

    /// Recorded entries with their responses.
    ///
    /// @param expires an expression of `i`, which counts from 1
    private static void recorded(int rows, String expires) {
        database.run(
                """
                        with made as (
                            insert into entry (
                                entry_id, client, idempotency_key, route, method, target, fingerprint, sent_as, state, attempt,
                                lease_until, recorded_at, expires_at, status)
                            select gen_random_uuid(), 'c', 'k' || i, 'payments', 'POST', '/payments', '\\x01', '\\x01', 1, i, now(),
                                   now(), %s, 201
                              from generate_series(1, %d) i
                            returning entry_id, expires_at)
                        insert into response select entry_id, expires_at, '\\x', '\\x' from made
                        """
                        .formatted(expires, rows));
    }

    private static long count(String from) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from " + from)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void backlogGoesInOneRoundAndWhatIsNotDueStays() {
        recorded(20_000, "now() - i * interval '1 millisecond'");
        recorded(50, "now() + interval '1 hour'");

        int purged = new Purger(ledger, DAY, TestLedger.CLOCKS).runOnce();

        assertThat(purged).isEqualTo(40_000);
        assertThat(count("entry")).isEqualTo(50);
        assertThat(count("response")).isEqualTo(50);
    }

    @Test
    void claimedAndDoubtfulEntriesAreInNobodysWay() {
        recorded(3_000, "now() - i * interval '1 millisecond'");
        database.run("update entry set state = case attempt % 2 when 0 then 0 else 2 end where attempt <= 500");

        // A round rests while a claim holds: none does.
        database.run("update entry set lease_until = now() - interval '1 hour' where state = 0");
        new Purger(ledger, DAY, TestLedger.CLOCKS).runOnce();

        assertThat(count("entry where state in (0, 2)")).isEqualTo(500);
        assertThat(count("entry")).isEqualTo(500);
    }

    @Test
    void chunkIsBounded() {
        recorded(1_000, "now() - i * interval '1 millisecond'");

        Purged purged = ledger.purge(100, DAY);

        assertThat(purged.rows()).isBetween(198, 200);
        assertThat(purged.more()).isTrue();
        assertThat(purged.behind()).isBetween(Duration.ofMillis(900), Duration.ofMinutes(2));
    }

    @Test
    void manyThatAreDueAtOneMomentGoInBoundedChunksToo() {
        recorded(1_000, "timestamptz '2020-02-02 02:02:02.020202Z'");

        Purged purged = ledger.purge(100, DAY);
        assertThat(purged.rows()).isEqualTo(200);
        assertThat(purged.more()).isTrue();

        new Purger(ledger, DAY, TestLedger.CLOCKS).runOnce();
        assertThat(count("entry")).isZero();
        assertThat(count("response")).isZero();
    }

    @Test
    void momentThatAChunkWouldCutIsLeftToTheNext() {
        recorded(1_000, "timestamptz '2020-02-02Z' + (i / 30) * interval '1 second'");

        assertThat(ledger.purge(100, DAY).rows()).isEqualTo(2 * 89);
        new Purger(ledger, DAY, TestLedger.CLOCKS).runOnce();

        assertThat(count("entry")).isZero();
    }

    /// What was deleted stays in the index until a vacuum; where somebody's old transaction holds that off, each chunk would
    /// walk over all that went before it.
    @Test
    void purgeGoesOnWhereItWasAndFromTheBeginningInAnotherLife() {
        recorded(500, "now() - i * interval '1 millisecond'");
        ledger.purge(1_000, DAY);
        recorded(10, "now() - interval '10 days'");

        assertThat(ledger.purge(1_000, DAY).rows()).isZero();

        try (PostgresLedger restarted = PostgresLedger.open(TestLedger.settings(database), TestLedger.CLOCKS)) {
            assertThat(restarted.purge(1_000, DAY).rows()).isEqualTo(20);
        }
    }

    @Test
    void purgeTellsOfCallsUnderWay() {
        recorded(10, "now() - interval '10 days'");
        assertThat(ledger.purge(5, DAY).callsUnderWay()).isFalse();

        recorded(10, "now() - interval '9 days'");
        database.run("update entry set state = 0, lease_until = now() + interval '1 minute' where attempt = 7");

        assertThat(ledger.purge(5, DAY).callsUnderWay()).isTrue();
    }
}

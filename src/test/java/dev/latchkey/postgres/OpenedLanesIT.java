package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.Ledger.Claimed;
import dev.latchkey.gateway.LedgerCases;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// That the ledger which is opened has lanes as they are meant to be.
class OpenedLanesIT {

    private final LedgerCases cases = new LedgerCases();
    private TestPostgres database;

    @BeforeEach
    void makeDatabase() {
        database = TestPostgres.create();
    }

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    private void claim(PostgresLedger ledger) {
        assertThat(ledger.claim(new Claim(cases.key().ask(), cases.attempt(), new Grounds.NoEntry())))
                .isInstanceOf(Claimed.Won.class);
    }

    /// 7. Whether written by the statement of many or alone.
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void slowCommitsOpenThem(int leastTogether) {
        database.run("alter database " + database.name() + " set commit_siblings = 0");
        database.run("alter database " + database.name() + " set commit_delay = 3000");
        try (PostgresLedger ledger =
                PostgresLedger.open(TestLedger.settings(database), leastTogether, TestLedger.CLOCKS)) {
            assertThat(ledger.lanesOpen()).isOne();
            for (int i = 0; i < 50 && ledger.lanesOpen() == 1; i++) {
                claim(ledger);
            }
            assertThat(ledger.lanesOpen()).isGreaterThan(1);
        }
    }

    /// 3 and 8.
    @Test
    void theirSessionsAreSetUpForBatches() throws SQLException {
        try (PostgresLedger ledger = PostgresLedger.open(TestLedger.settings(database), 1, TestLedger.CLOCKS)) {
            database.run(
                    "create table seen (setting text); create function look() returns trigger language plpgsql as $$"
                            + " begin insert into seen select name || ' = ' || current_setting(name) from unnest(array["
                            + "'plan_cache_mode', 'enable_hashjoin', 'enable_mergejoin', 'enable_seqscan', 'lock_timeout']) name;"
                            + " return new; end $$;"
                            + " create trigger look before insert on entry for each row execute function look()");
            claim(ledger);
        }

        assertThat(seen()).containsExactlyInAnyOrder(
                "plan_cache_mode = force_generic_plan", "enable_hashjoin = off", "enable_mergejoin = off",
                "enable_seqscan = off", "lock_timeout = 250ms");
    }

    private List<String> seen() throws SQLException {
        List<String> all = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select setting from seen")) {
            while (rows.next()) {
                all.add(rows.getString(1));
            }
        }
        return all;
    }
}

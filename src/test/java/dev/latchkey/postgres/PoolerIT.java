package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.Ledger.Claimed;
import dev.latchkey.gateway.Ledger.Settled;
import dev.latchkey.gateway.LedgerCases;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.testing.PgBouncer;
import dev.latchkey.testing.PostgresPair;
import dev.latchkey.testing.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The ledger behind a real pgbouncer that lends sessions for a transaction.
class PoolerIT {

    private static final int KEYS = 300;

    /// Fails a write whose transaction has not been told what every session of ours is told.
    private static final String WATCH =
            """
                    create function watch() returns trigger language plpgsql as $$ begin
                      if current_setting('synchronous_commit') <> 'on' or current_setting('lock_timeout') = '0'
                        or current_setting('statement_timeout') <> '4s' then raise exception 'a transaction without settings';
                      end if;
                      return new;
                    end $$;
                    create trigger watch before insert or update on entry for each row execute function watch();
                    """;

    private final LedgerCases cases = new LedgerCases();
    private TestPostgres database;

    @TempDir
    private Path folder;

    @BeforeEach
    void makeDatabase() {
        database = TestPostgres.create();
    }

    @AfterEach
    void dropDatabase() {
        database.close();
    }

    @Test
    void ledgerWorksAndLeavesNoSettingBehind() throws Exception {
        assumeTrue(PgBouncer.keepsStatements(), "SKIPPED: pgbouncer is older than 1.24");
        worksThrough("");
    }

    @Test
    void withoutPreparedStatementsItWorksBehindAnOlderOne() throws Exception {
        worksThrough("?prepareThreshold=0");
    }

    @Test
    void olderOneIsRefusedAtTheStart() throws Exception {
        try (PgBouncer pooler = PgBouncer.start(
                folder, database, PgBouncer.keepsStatements() ? "max_prepared_statements = 0" : "")) {
            assertThatThrownBy(() -> open(pooler, "").close()).isInstanceOf(LedgerUnfit.class)
                    .hasMessageContaining("pgbouncer before 1.21").hasMessageContaining("prepareThreshold=0");
        }
    }

    @Test
    void warningAtTheCommitIsNoSuccessEither() throws Exception {
        try (PgBouncer pooler = PgBouncer.start(folder, database, "");
                PostgresLedger ledger = open(pooler, "?prepareThreshold=0")) {
            database.run("create function trouble() returns trigger language plpgsql as $$ begin"
                    + " raise warning 'canceling wait for synchronous replication'; return new; end $$;"
                    + " create constraint trigger trouble after insert on entry deferrable initially deferred"
                    + " for each row execute function trouble()");
            LedgerUnavailable refusal = catchThrowableOfType(LedgerUnavailable.class, () -> claim(ledger, cases.key()));
            assertThat(refusal).isNotNull();
            assertThat(refusal.commitUnknown()).isTrue();
        }
    }

    /// The commit is a statement of its own there, after the batch's.
    @Test
    void slowCommitsOpenLanesBehindItToo() throws Exception {
        database.run("alter database " + database.name() + " set commit_siblings = 0");
        database.run("alter database " + database.name() + " set commit_delay = 3000");
        try (PgBouncer pooler = PgBouncer.start(folder, database, "")) {
            TestPostgres through = database.through(pooler.port());
            PostgresSettings settings = TestLedger.settings(through.url() + "?prepareThreshold=0", through, true);
            try (PostgresLedger ledger = PostgresLedger.open(settings, 1, TestLedger.CLOCKS)) {
                for (int i = 0; i < 50 && ledger.lanesOpen() == 1; i++) {
                    claim(ledger, cases.key());
                }
                assertThat(ledger.lanesOpen()).isGreaterThan(1);
            }
        }
    }

    /// The pooler keeps our connections and leads them on to the standby that the primary has become.
    @Test
    void switchoverIsFollowedThroughPoolers() throws Exception {
        try (PostgresPair pair = PostgresPair.start(folder);
                PgBouncer first = PgBouncer.start(Files.createDirectory(folder.resolve("a")), pair.primary());
                PgBouncer second = PgBouncer.start(Files.createDirectory(folder.resolve("b")), pair.standby())) {
            String url = "jdbc:postgresql://127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port() + "/"
                    + pair.newDatabase() + "?user=postgres&prepareThreshold=0";
            PostgresSettings settings = new PostgresSettings(
                    url, null, null, 4, PostgresSettings.Writer.PLAIN, PostgresSettings.Durability.LOCAL, true,
                    PostgresSettings.Encryption.NONE);
            try (PostgresLedger ledger = PostgresLedger.open(settings, TestLedger.CLOCKS)) {
                assertThat(claim(ledger, cases.key())).isInstanceOf(Claimed.Won.class);
                pair.switchOver();
                await().atMost(Duration.ofSeconds(30)).ignoreExceptionsInstanceOf(LedgerUnavailable.class)
                        .until(() -> claim(ledger, cases.key()) instanceof Claimed.Won);
                for (int i = 0; i < 20; i++) {
                    assertThat(claim(ledger, cases.key())).isInstanceOf(Claimed.Won.class);
                }
            }
        }
    }

    private void worksThrough(String parameters) throws Exception {
        database.run("alter database " + database.name() + " set synchronous_commit = off");
        try (PgBouncer pooler = PgBouncer.start(folder, database, "")) {
            try (PostgresLedger ledger = open(pooler, parameters)) {
                database.run(WATCH);
                claimAndRecord(ledger);
            }
            assertThat(leftBehind(pooler)).isEmpty();
        }
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select count(*) from entry where state = 1")) {
            row.next();
            assertThat(row.getInt(1)).isEqualTo(KEYS);
        }
    }

    private PostgresLedger open(PgBouncer pooler, String parameters) {
        TestPostgres through = database.through(pooler.port());
        return PostgresLedger.open(TestLedger.settings(through.url() + parameters, through, true), TestLedger.CLOCKS);
    }

    /// Many at once, so that they go in batches and alone.
    private void claimAndRecord(Ledger ledger) throws Exception {
        List<Future<Settled>> ended = new ArrayList<>();
        try (ExecutorService callers = Executors.newFixedThreadPool(16)) {
            for (int i = 0; i < KEYS; i++) {
                ended.add(callers.submit(() -> {
                    LedgerCases.Key key = cases.key();
                    Claim claim = new Claim(key.ask(), cases.attempt(), new Grounds.NoEntry());
                    assertThat(ledger.claim(claim)).isInstanceOf(Claimed.Won.class);
                    assertThat(ledger.find(key.id())).isNotNull();
                    return ledger.settle(key.id(), claim.attempt(), cases.record(201));
                }));
            }
        }
        for (Future<Settled> each : ended) {
            assertThat(each.get()).isInstanceOf(Settled.Applied.class);
        }
    }

    private static Claimed claim(Ledger ledger, LedgerCases.Key key) {
        return ledger.claim(new Claim(key.ask(), 7, new Grounds.NoEntry()));
    }

    /// What sessions of the pooler's have been told that would change what others do.
    private List<String> leftBehind(PgBouncer pooler) throws SQLException {
        List<String> left = new ArrayList<>();
        List<Connection> held = new ArrayList<>();
        try {
            for (int i = 0; i < PgBouncer.SESSIONS; i++) {
                TestPostgres through = database.through(pooler.port());
                Connection connection =
                        DriverManager.getConnection(through.url() + "?prepareThreshold=0", through.user(),
                                through.password());
                held.add(connection);
                // Until its end nobody else gets this session.
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery(
                                "select name || ' = ' || setting from pg_settings where source = 'session' and name not in"
                                        + " ('application_name', 'client_encoding', 'DateStyle', 'TimeZone', 'search_path')")) {
                    while (rows.next()) {
                        left.add(rows.getString(1));
                    }
                }
            }
        } finally {
            for (Connection connection : held) {
                connection.close();
            }
        }
        return left;
    }
}

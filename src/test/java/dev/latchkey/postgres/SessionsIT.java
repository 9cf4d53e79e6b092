package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.Ledger.Claimed;
import dev.latchkey.gateway.LedgerCases;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.testing.PostgresNode;
import dev.latchkey.testing.TestPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The ledger's connections: what bounds their waits, what they tell the server, and how many there are.
class SessionsIT {

    private static final String RECORDED = "?socketFactory=" + RecordingSockets.class.getName();

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static TestPostgres database;

    @BeforeAll
    static void create() {
        database = TestPostgres.create();
    }

    @AfterAll
    static void drop() {
        database.close();
    }

    private static Connection connect(String url) throws SQLException {
        PostgresSettings settings = TestLedger.settings(url, database, false);
        return Sessions.forCalls(settings, new Primary(url), TestLedger.CLOCKS).getConnection();
    }

    @Test
    void sessionsAreDurableAndTheirWaitsBoundedWhateverTheDefaultIs() throws SQLException {
        database.run("alter database " + database.name() + " set synchronous_commit = off");

        try (Connection session = connect(database.url());
                Statement statement = session.createStatement();
                ResultSet row = statement.executeQuery(
                        "select current_setting('synchronous_commit'), current_setting('lock_timeout'),"
                                + " current_setting('statement_timeout'), current_setting('application_name'),"
                                + " current_setting('idle_in_transaction_session_timeout')")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("on");
            assertThat(row.getString(2)).isEqualTo("2s");
            assertThat(row.getString(3)).isEqualTo("4s");
            assertThat(row.getString(4)).isEqualTo("latchkey");
            assertThat(row.getString(5)).isEqualTo("10s");
        }
    }

    @Test
    void networksWaitsAreBoundedWithoutSettings() throws Exception {
        try (Connection session = connect(database.url() + RECORDED)) {
            assertThat(session.getNetworkTimeout()).isEqualTo(5_000);
            RecordingSockets.Recorded socket = RecordingSockets.last();
            // What is left of it when the address is known.
            assertThat(socket.connectTimeout()).isBetween(1_000, 2_000);
            assertThat(socket.getSoTimeout()).isEqualTo(5_000);
            assertThat(socket.getKeepAlive()).isTrue();
        }
    }

    @Test
    void parametersOfTheUrlAreStronger() throws Exception {
        String url = database.url() + RECORDED
                + "&connectTimeout=7&socketTimeout=9&tcpKeepAlive=false&ApplicationName=mine";
        try (Connection session = connect(url)) {
            RecordingSockets.Recorded socket = RecordingSockets.last();
            assertThat(socket.connectTimeout()).isBetween(6_000, 7_000);
            assertThat(socket.getSoTimeout()).isEqualTo(9_000);
            assertThat(socket.getKeepAlive()).isFalse();
            assertThat(session.getClientInfo("ApplicationName")).isEqualTo("mine");
        }
    }

    /// However many calls there are.
    @Test
    void connectionsAreAsManyAsTheSettingsSay() throws Exception {
        LedgerCases cases = new LedgerCases();
        PostgresSettings settings = TestLedger.settings(database);
        try (PostgresLedger ledger = PostgresLedger.open(settings, TestLedger.CLOCKS);
                Connection other = database.connect();
                Statement statement = other.createStatement();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            other.setAutoCommit(false);
            statement.execute("lock table entry in exclusive mode");
            List<Future<Claimed>> claims = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                Claim claim = new Claim(cases.key().ask(), 7, new Grounds.NoEntry());
                claims.add(threads.submit(() -> ledger.claim(claim)));
            }
            await().until(database::somebodyWaits);
            other.rollback();
            for (Future<Claimed> claim : claims) {
                assertThat(claim.get()).isInstanceOf(Claimed.Won.class);
            }
            assertThat(sessions(statement)).isBetween(2, settings.connections());
            assertThat(ledger.connections().stream().mapToInt(Connections::most).sum())
                    .isEqualTo(settings.connections());
        }
    }

    @Test
    void startWaitsForOneConnectionOfThePools() {
        try (PostgresLedger ledger = PostgresLedger.open(TestLedger.settings(database), TestLedger.CLOCKS)) {
            assertThat(ledger.connections().stream().mapToInt(Connections::open).sum()).isOne();
        }
    }

    @Test
    void poolsAreFilledAtOnceWhenToldTo() {
        PostgresSettings settings = TestLedger.settings(database);
        Shares shares = Shares.of(settings.connections(), settings.writer());
        try (PostgresLedger ledger = PostgresLedger.open(settings, TestLedger.CLOCKS)) {
            ledger.fill();
            await().until(() -> ledger.connections().stream().mapToInt(Connections::open).sum() == shares.pool() + 1);
        }
    }

    /// As some that are managed by others do when their disk is full.
    @Test
    void serverThatTakesNoWritesForNowIsSaidAndUsedAgain(@TempDir Path folder) {
        LedgerCases cases = new LedgerCases();
        try (PostgresNode server = PostgresNode.alone(folder)) {
            PostgresSettings settings = TestLedger.settings(server.url("postgres"), database, true);
            try (PostgresLedger ledger = PostgresLedger.open(settings, TestLedger.CLOCKS)) {
                ledger.claim(new Claim(cases.key().ask(), 7, new Grounds.NoEntry()));
                server.reload("default_transaction_read_only = on");
                await().atMost(PATIENCE).until(() -> {
                    assertThatThrownBy(() -> ledger.claim(new Claim(cases.key().ask(), 7, new Grounds.NoEntry())))
                            .isInstanceOf(LedgerUnavailable.class);
                    return String.valueOf(ledger.health().problem()).contains("default_transaction_read_only");
                });
                server.reload("default_transaction_read_only = off");
                await().atMost(PATIENCE).ignoreExceptionsInstanceOf(LedgerUnavailable.class)
                        .until(() -> ledger
                                .claim(new Claim(cases.key().ask(), 7, new Grounds.NoEntry())) instanceof Claimed.Won);
            }
        }
    }

    private static int sessions(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(
                "select count(*) from pg_stat_activity where datname = current_database()"
                        + " and application_name = 'latchkey'")) {
            row.next();
            return row.getInt(1);
        }
    }
}

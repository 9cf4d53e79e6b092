package dev.latchkey.testing;

import dev.latchkey.postgres.LedgerServer;
import dev.latchkey.postgres.LedgerUnfit;
import dev.latchkey.postgres.TestPrograms;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.UUID;

/// A database of its own on the one PostgreSQL that all tests of this process share: real, durable, from the embedded
/// programs, or the one that the property `latchkey.test.postgres` names. The server ends with the process; what a killed
/// one left behind, the next one ends.
///
/// @param name the database
/// @param url how to reach it by JDBC
/// @param user who to connect as, a superuser
/// @param password with which password
public record TestPostgres(String name, String url, String user, String password) implements AutoCloseable {

    private static final int FOLDERS = 16;

    /// Makes an empty database, on a server that starts with the first one.
    public static TestPostgres create() {
        String name = "t_" + UUID.randomUUID().toString().replace("-", "");
        Shared.SERVER.run("create database " + name);
        return Shared.SERVER.with(name);
    }

    private TestPostgres with(String other) {
        return new TestPostgres(other, url.replaceFirst("/" + name + "$", "/" + other), user, password);
    }

    /// The same database, reached through another port of the loopback address.
    public TestPostgres through(int port) {
        return new TestPostgres(name, url.replaceFirst("//[^/]+/", "//127.0.0.1:" + port + "/"), user, password);
    }

    /// The port that its server listens on.
    public int port() {
        return URI.create(url.substring("jdbc:".length())).getPort();
    }

    /// A connection past the ledger, for looking and for making trouble.
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    /// Whether a session of this database waits for another's lock.
    public boolean somebodyWaits() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from pg_stat_activity where datname = current_database()"
                                + " and wait_event_type = 'Lock'")) {
            row.next();
            return row.getInt(1) > 0;
        }
    }

    /// Runs one statement past the ledger.
    public void run(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Drops the database, whoever is in it.
    @Override
    public void close() {
        Shared.SERVER.run("drop database if exists " + name + " with (force)");
    }

    private static final class Shared {

        static final TestPostgres SERVER = given().orElseGet(Shared::start);

        /// Another version's server, to run the same tests on it.
        private static Optional<TestPostgres> given() {
            String url = System.getProperty("latchkey.test.postgres");
            return url == null
                    ? Optional.empty()
                    : Optional.of(new TestPostgres(
                            "postgres", url, System.getProperty("latchkey.test.postgres.user", "postgres"),
                            System.getProperty("latchkey.test.postgres.password", "")));
        }

        private static TestPostgres start() {
            LedgerServer server = own();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return new TestPostgres("postgres", server.url(), server.user(), server.password());
        }

        private static LedgerServer own() {
            Path target = Path.of("target");
            Path programs = TestPrograms.place();
            for (int i = 0;; i++) {
                try {
                    return LedgerServer.start(target.resolve("test-postgres-" + i), programs);
                } catch (LedgerUnfit e) {
                    // Another process of tests may have that folder.
                    if (i == FOLDERS || !String.valueOf(e.getMessage()).contains("in use")) {
                        throw e;
                    }
                }
            }
        }
    }
}

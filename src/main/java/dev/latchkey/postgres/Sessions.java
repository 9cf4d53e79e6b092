package dev.latchkey.postgres;

import dev.latchkey.postgres.PostgresSettings.Durability;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Properties;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/// Opens connections to the ledger's server, each one checked before it is used: a server that may lose an acknowledged
/// commit, that is too old or a standby, is refused, whichever server the URL leads to by now.
///
/// Safe for any number of threads.
final class Sessions implements DataSource {

    private static final String SOCKET_TIMEOUT_SECONDS = "5";

    private final PostgresSettings settings;
    private final boolean forCalls;

    private Sessions(PostgresSettings settings, boolean forCalls) {
        this.settings = settings;
        this.forCalls = forCalls;
    }

    /// For calls and upkeep: every wait is bounded.
    static Sessions forCalls(PostgresSettings settings) {
        return new Sessions(settings, true);
    }

    /// For migrations, which may take long: only the way to the server is bounded.
    static Sessions forMigrations(PostgresSettings settings) {
        return new Sessions(settings, false);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = new Driver().connect(settings.url(), properties());
        if (connection == null) {
            throw new UnfitServer(
                    "ledger.url is not the JDBC URL of a PostgreSQL: write jdbc:postgresql://HOST/DATABASE.");
        }
        try {
            ServerCheck.run(connection, settings.durability(), forCalls);
            if (!forCalls) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /// Never a query timeout: a cancelled wait for a standby reports success for a commit that a failover loses. The
    /// server's own timeouts, and this one on the socket, bound each wait.
    private Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("connectTimeout", "2");
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("targetServerType", "primary");
        properties.setProperty("hostRecheckSeconds", "2");
        properties.setProperty("ApplicationName", "latchkey");
        // Details of an error repeat rows, and rows hold keys and bodies.
        properties.setProperty("logServerErrorDetail", "false");
        properties.setProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS);
        if (settings.user() != null) {
            properties.setProperty("user", settings.user());
        }
        if (settings.password() != null) {
            properties.setProperty("password", settings.password().get());
        }
        return properties;
    }

    /// Whether commits must reach a standby.
    boolean replicated() {
        return settings.durability() == Durability.REPLICATED;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("the ledger's own user only");
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        // The driver logs by java.util.logging.
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // It would bound the whole round over all hosts; each host has its own bounds.
    }

    @Override
    public int getLoginTimeout() {
        // For so long the pool waits at its end for a connection that is still being made.
        return 1;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}

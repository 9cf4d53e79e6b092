package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.postgres.PostgresSettings.Durability;
import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.util.PSQLException;

/// Opens connections to the ledger's primary, each one checked before it is used: a server that may lose an acknowledged
/// commit, that is too old, a standby, or a primary that has been replaced, is refused, whichever server the URL leads to
/// by now.
///
/// Safe for any number of threads.
final class Sessions implements DataSource {

    private static final String SOCKET_TIMEOUT_SECONDS = "5";
    /// Held, for a logger that nobody holds forgets what it was told.
    private static final Logger DRIVER = Logger.getLogger("org.postgresql");

    static {
        // It says all of a URL that it cannot read, password included, and throws whatever else it says.
        DRIVER.setLevel(Level.OFF);
    }

    private final PostgresSettings settings;
    private final Primary primary;
    private final Clocks clocks;
    private final boolean forCalls;
    private final ServerSettings told;

    private Sessions(
            PostgresSettings settings, Primary primary, Clocks clocks, boolean forCalls, ServerSettings told) {
        this.settings = settings;
        this.primary = primary;
        this.clocks = clocks;
        this.forCalls = forCalls;
        this.told = told;
    }

    /// For calls and upkeep: every wait is bounded.
    static Sessions forCalls(PostgresSettings settings, Primary primary, Clocks clocks) {
        return new Sessions(
                settings, primary, clocks, true, ServerCheck.settings(settings.durability(), true));
    }

    /// For migrations, which may take long: only the way to the server is bounded.
    static Sessions forMigrations(PostgresSettings settings, Primary primary, Clocks clocks) {
        return new Sessions(
                settings, primary, clocks, false, ServerCheck.settings(settings.durability(), false));
    }

    /// The same, whose server is told more.
    Sessions with(ServerSettings more) {
        return new Sessions(settings, primary, clocks, forCalls, told.and(more));
    }

    /// What the server must be told in each transaction where a pooler is between.
    ServerSettings told() {
        return told;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return new PrimarySearch(primary, this::open, clocks, forCalls).find().connection();
    }

    private Session open(String url) throws SQLException {
        Connection connection = connect(url);
        try {
            boolean pooled = ServerCheck.run(connection, settings.durability(), told);
            if (pooled && !primary.isPooled()) {
                Pooler.requirePreparedStatements(connection, () -> connect(url));
            }
            Session session = new Session(connection, lineage(connection), pooled);
            if (!forCalls) {
                connection.setNetworkTimeout(Runnable::run, 0);
            }
            return session;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    private Connection connect(String url) throws SQLException {
        Connection connection;
        try {
            connection = new Driver().connect(url, properties());
        } catch (PSQLException e) {
            throw DriverRefusal.of(e, url);
        }
        if (connection == null) {
            throw new UnfitServer(
                    "ledger.url is not the JDBC URL of a PostgreSQL: write jdbc:postgresql://HOST/DATABASE.");
        }
        return connection;
    }

    private static @Nullable Lineage lineage(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return Lineage.of(statement);
        }
    }

    /// Never a query timeout: a cancelled wait for a standby reports success for a commit that a failover loses. The
    /// server's own timeouts, and this one on the socket, bound each wait.
    private Properties properties() {
        Properties properties = new Properties();
        properties.setProperty("connectTimeout", "2");
        properties.setProperty("tcpKeepAlive", "true");
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
        // The driver logs by java.util.logging, and is not let.
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

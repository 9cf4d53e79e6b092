package dev.latchkey.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.PGStatement;

/// A pooler between this program and the server: it lends the server's sessions, for a transaction or for longer; which of
/// both cannot be seen. So each transaction brings its own settings, and none is left behind.
final class Pooler {

    /// Prepared statements are a connection's own: where one is there already, or is gone, the pooler mixes them up.
    private static final String THERE_ALREADY = "42P05";
    private static final String GONE = "26000";
    private static final String NAMED = "select 'latchkey'";
    /// Whoever else calls may get between two looks.
    private static final int LOOKS = 3;

    private Pooler() {}

    /// Whether the process at the other end is not the one that works.
    ///
    /// @param working the working process, by its own word
    static boolean isBetween(Connection connection, int working) throws SQLException {
        return connection.unwrap(PGConnection.class).getBackendPID() != working;
    }

    /// Opens another connection through the same pooler.
    interface Opening {
        Connection open() throws SQLException;
    }

    /// Looks whether prepared statements outlive their transaction, where the driver makes any.
    ///
    /// @throws UnfitServer when they do not
    static void requirePreparedStatements(Connection connection, Opening another) throws SQLException {
        if (connection.unwrap(PGConnection.class).getPrepareThreshold() == 0) {
            return;
        }
        try {
            prepare(connection);
            for (int i = 0; i < LOOKS; i++) {
                try (Connection other = another.open()) {
                    prepare(other);
                    prepare(connection);
                }
            }
        } catch (SQLException e) {
            if (THERE_ALREADY.equals(e.getSQLState()) || GONE.equals(e.getSQLState())) {
                UnfitServer unfit = new UnfitServer(
                        "ledger.url leads through a pooler that mixes up prepared statements, as pgbouncer"
                                + " before 1.21 does and a newer one with max_prepared_statements = 0: use pgbouncer 1.24 or newer,"
                                + " let it pool sessions (pool_mode = session), or add prepareThreshold=0 to ledger.url.");
                unfit.initCause(e);
                throw unfit;
            }
            throw e;
        }
    }

    /// By a name, at once.
    private static void prepare(Connection connection) throws SQLException {
        try (PreparedStatement named = connection.prepareStatement(NAMED)) {
            named.unwrap(PGStatement.class).setPrepareThreshold(1);
            named.execute();
        }
    }
}

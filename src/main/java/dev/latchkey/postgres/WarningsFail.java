package dev.latchkey.postgres;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.StatementCustomizer;
import org.jspecify.annotations.Nullable;

/// A warning at the end of a commit means that it did not get where it should: a wait for a standby that was cancelled. Immutable.
final class WarningsFail implements StatementCustomizer {
    @Override
    public void afterExecution(PreparedStatement statement, StatementContext context) throws SQLException {
        look(statement.getWarnings());
    }

    /// @throws SQLException where one of them is such a warning
    static void look(@Nullable SQLWarning first) throws SQLException {
        for (SQLWarning warning = first; warning != null; warning = warning.getNextWarning()) {
            if (warning.getSQLState() != null && warning.getSQLState().startsWith("01")) {
                throw new SQLException("the server warned at the commit", warning.getSQLState(), warning);
            }
        }
    }
}

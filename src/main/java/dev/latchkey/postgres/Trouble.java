package dev.latchkey.postgres;

import java.net.SocketTimeoutException;
import java.sql.SQLException;
import org.jdbi.v3.core.ConnectionException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/// What a failed statement means, by its SQLSTATE (PostgreSQL, appendix A).
enum Trouble {
    /// Rolled back for another's sake: run the whole transaction again.
    RETRY,
    /// The server refused what it was given; nothing was committed.
    DATA,
    /// Nothing was committed.
    NOT_DONE,
    /// It may have been committed (G7).
    UNKNOWN;

    static final String READ_ONLY = "25006";

    static Trouble of(SQLException failure) {
        String state = failure.getSQLState();
        if (state == null) {
            return UNKNOWN;
        }
        return switch (state) {
            case "40001", "40P01" -> RETRY;
            case "40003" -> UNKNOWN;
            default -> ofClass(state, failure);
        };
    }

    private static Trouble ofClass(String state, SQLException failure) {
        String type = state.substring(0, Math.min(2, state.length()));
        return switch (type) {
            case "22", "23", "54" -> DATA;
            // A lock or statement timeout (55P03, 57014) does not fire while a commit is under way, and is an error; what
            // shuts a session down (57P0x) is fatal.
            case "01", "08", "58", "XX", "LK" -> UNKNOWN;
            default -> isError(failure) && !state.startsWith("57P") ? NOT_DONE : UNKNOWN;
        };
    }

    /// Whether the server itself said that this statement failed, and went on: then its transaction is gone.
    private static boolean isError(SQLException failure) {
        ServerErrorMessage message = failure instanceof PSQLException ours ? ours.getServerErrorMessage() : null;
        return message != null && "ERROR".equals(message.getSeverity());
    }

    /// Whether the server itself refused a statement, and so did nothing, where it might do another: what writes nothing
    /// any more refuses all of them.
    static boolean isRefusal(Throwable thrown) {
        SQLException failure = cause(thrown);
        return failure != null && of(failure) != UNKNOWN && !READ_ONLY.equals(failure.getSQLState());
    }

    /// Whether others' open transactions are what it failed by.
    static boolean isContention(Throwable thrown) {
        SQLException failure = cause(thrown);
        String state = failure == null ? null : failure.getSQLState();
        return "55P03".equals(state) || "40001".equals(state) || "40P01".equals(state);
    }

    /// Whether a connection broke under a statement, and not by a silence.
    static boolean isBrokenConnection(Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof ConnectionException || t instanceof SocketTimeoutException) {
                return false;
            }
        }
        SQLException failure = cause(thrown);
        String state = failure == null ? null : failure.getSQLState();
        return state != null && (state.startsWith("08") || state.startsWith("57P"));
    }

    /// The failure behind an exception; null: none of the database's.
    static @Nullable SQLException cause(Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof SQLException failure) {
                return failure;
            }
        }
        return null;
    }

    /// The reason why a server must not be used, somewhere behind an exception; null: none.
    static @Nullable UnfitServer unfit(Throwable thrown) {
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            if (t instanceof UnfitServer unfit) {
                return unfit;
            }
        }
        return null;
    }
}

package dev.latchkey.postgres;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.util.Set;
import org.postgresql.util.PSQLException;

/// Tells what the driver says by itself of the URL from a server that does not answer: an option that it does not take, a
/// file that is not there.
final class DriverRefusal {

    /// A parameter's value; a connection that could not be made, was rejected, or failed.
    private static final Set<String> STATES = Set.of("22023", "08001", "08004", "08006");

    private DriverRefusal() {}

    /// The failure, as one that somebody must remove where it is the URL's.
    static SQLException of(PSQLException failure) {
        return failure.getServerErrorMessage() == null && STATES.contains(String.valueOf(failure.getSQLState()))
                && !isOnTheWay(failure)
                        ? new UnfitServer("ledger.url cannot be used as it is: " + sentence(failure) + ".")
                        : failure;
    }

    private static boolean isOnTheWay(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof IOException && !(t instanceof FileNotFoundException)
                    && !(t instanceof FileSystemException)) {
                return true;
            }
        }
        return false;
    }

    private static String sentence(PSQLException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("").strip().replaceFirst("\\.+$", "");
    }
}

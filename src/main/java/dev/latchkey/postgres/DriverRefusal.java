package dev.latchkey.postgres;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.util.PSQLException;

/// Tells what the driver says by itself of the URL from a server that does not answer: an option that it does not take, a
/// file that is not there.
final class DriverRefusal {

    private static final String PARAMETER = "22023";
    private static final String REJECTED = "08004";
    private static final String FAILED = "08006";
    private static final String NOT_CONNECTED = "08001";
    private static final String NOT_READ = "99999";
    /// With these in a URL the driver says by itself that it could not connect, and may be able to in a moment: of a server
    /// that is a standby today, or that has not answered yet.
    private static final List<String> OF_THE_MOMENT = List.of("targetServerType", "loginTimeout");

    private DriverRefusal() {}

    /// The failure, as one that somebody must remove where it is the URL's; in doubt it is not.
    static SQLException of(PSQLException failure, String url) {
        if (NOT_READ.equals(failure.getSQLState()) && failure.getCause() == null) {
            // It says all of the URL, which may hold a password.
            return new UnfitServer("ledger.url is not one that the driver reads: write"
                    + " jdbc:postgresql://HOST:5432/DATABASE, and % in a value as %25.");
        }
        boolean urls = switch (String.valueOf(failure.getSQLState())) {
            case PARAMETER, REJECTED -> !isOnTheWay(failure);
            case FAILED -> failure.getCause() != null && !isOnTheWay(failure);
            case NOT_CONNECTED -> failure.getCause() == null && OF_THE_MOMENT.stream().noneMatch(url::contains);
            default -> false;
        };
        return urls && failure.getServerErrorMessage() == null
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

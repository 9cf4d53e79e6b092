package dev.latchkey.cli;

import java.net.BindException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds a port that could not be listened on beneath whatever a server wrapped it into.
final class TakenPort {

    private static final int DEPTH = 10;

    /// What Jetty says of it.
    private static final Pattern ADDRESS = Pattern.compile("Failed to bind to /?(\\S+)");

    private TakenPort() {}

    /// The address, as far as it is known; null where the failure is of another kind.
    static @Nullable String in(Throwable failure) {
        String address = "The port";
        Throwable at = failure;
        for (int i = 0; at != null && i < DEPTH; i++) {
            Matcher matcher = ADDRESS.matcher(String.valueOf(at.getMessage()));
            address = matcher.find() ? matcher.group(1) : address;
            if (at instanceof BindException) {
                return address;
            }
            at = at.getCause();
        }
        return null;
    }
}

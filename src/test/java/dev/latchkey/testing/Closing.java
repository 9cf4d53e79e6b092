package dev.latchkey.testing;

import org.jspecify.annotations.Nullable;

/// Closes what a suite has started, in the order that matters.
public final class Closing {

    private Closing() {}

    /// @param started null for what the start has not come to
    public static void all(@Nullable AutoCloseable... started) throws Exception {
        for (AutoCloseable each : started) {
            if (each != null) {
                each.close();
            }
        }
    }
}

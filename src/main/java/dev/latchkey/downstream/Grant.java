package dev.latchkey.downstream;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What is asked of a token server, and as whom. Never shown by `toString`.
///
/// @param id this gateway's name there
/// @param secret asked for each time
/// @param inBody whether id and secret go in the body, and not by HTTP Basic authentication
/// @param scope null: what the server gives by itself
/// @param audience null: none is named
/// @param timeout for a token, and for a forward that waits for one
public record Grant(
        String id, Supplier<String> secret, boolean inBody, @Nullable String scope, @Nullable String audience,
        Duration timeout) {

    @Override
    public String toString() {
        return "(hidden)";
    }
}

package dev.latchkey.config;

import org.jspecify.annotations.Nullable;

/// What one client of the list may take of a replica, instead of what `limits` says.
///
/// @param forwards under way at once; null: `limits.client-forwards`
/// @param callsPerSecond claims and forwards; null: `limits.client-calls-per-second`
public record ClientBounds(@Nullable Integer forwards, @Nullable Integer callsPerSecond) {

    /// As for every client.
    public static final ClientBounds USUAL = new ClientBounds(null, null);

    public ClientBounds {
        new Checks()
                .between(forwards == null ? 1 : forwards, 1, 1_000_000, "forwards")
                .between(callsPerSecond == null ? 1 : callsPerSecond, 1, 1_000_000, "calls-per-second")
                .done();
    }

    public int forwardsOr(int usual) {
        return forwards == null ? usual : forwards;
    }

    public @Nullable Integer callsPerSecondOr(@Nullable Integer usual) {
        return callsPerSecond == null ? usual : callsPerSecond;
    }
}

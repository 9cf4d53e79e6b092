package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// What is known of the ledger's reach, by the last piece of work that went through or did not. Safe for any number of
/// threads.
final class Pulse {

    private final Clocks clocks;
    private volatile Seen seen;

    Pulse(Clocks clocks) {
        this.clocks = clocks;
        this.seen = new Seen("nothing was asked of it yet", clocks.nanos());
    }

    /// @param problem null: it answered
    /// @param at monotonic nanoseconds
    private record Seen(@Nullable String problem, long at) {}

    void beat() {
        seen = new Seen(null, clocks.nanos());
    }

    void miss(String problem) {
        seen = new Seen(problem, clocks.nanos());
    }

    /// What is wrong; null: nothing.
    @Nullable String problem() {
        return seen.problem();
    }

    /// How old this knowledge is.
    Duration age() {
        return Duration.ofNanos(clocks.nanos() - seen.at());
    }
}

package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What is known of the ledger's reach, by the last piece of work that went through or did not; says once
/// that it was lost, and once that it is back. Safe for any number of
/// threads.
final class Pulse {

    private static final Log LOG = Log.of(Pulse.class);

    private final Clocks clocks;
    private final AtomicReference<Seen> seen;

    Pulse(Clocks clocks) {
        this.clocks = clocks;
        this.seen = new AtomicReference<>(new Seen(true, "nothing was asked of it yet", clocks.nanos()));
    }

    /// @param atStart whether nothing was seen yet
    /// @param problem null: it answered
    /// @param at monotonic nanoseconds
    private record Seen(boolean atStart, @Nullable String problem, long at) {}

    void beat() {
        Seen before = seen.getAndSet(new Seen(false, null, clocks.nanos()));
        if (before.problem() != null && !before.atStart()) {
            LOG.info(LogEvent.LEDGER_BACK);
        }
    }

    void miss(String problem) {
        Seen before = seen.getAndSet(new Seen(false, problem, clocks.nanos()));
        if (before.problem() == null || before.atStart()) {
            LOG.warn(LogEvent.LEDGER_LOST, "reason", problem);
        }
    }

    /// What is wrong; null: nothing.
    @Nullable
    String problem() {
        return seen.get().problem();
    }

    /// How old this knowledge is.
    Duration age() {
        return Duration.ofNanos(clocks.nanos() - seen.get().at());
    }
}

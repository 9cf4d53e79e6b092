package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What is known of the ledger's reach, by the last piece of work that went through or did not; says once that it was lost,
/// and once that it is back. Without the standby that commits wait for, reads go through: so it is back once that is seen.
/// Safe for any number of threads.
final class Pulse {

    private static final Log LOG = Log.of(Pulse.class);

    private final Clocks clocks;
    private final AtomicReference<Seen> seen;
    private final AtomicBoolean saidLost = new AtomicBoolean();
    private volatile Runnable afterLoss = () -> {};

    Pulse(Clocks clocks) {
        this.clocks = clocks;
        this.seen = new AtomicReference<>(new Seen("nothing was asked of it yet", clocks.nanos()));
    }

    /// @param problem null: it answered
    /// @param at monotonic nanoseconds
    private record Seen(@Nullable String problem, long at) {}

    void beat() {
        seen.set(new Seen(null, clocks.nanos()));
        if (saidLost.get()) {
            afterLoss.run();
        }
    }

    /// What looks for the standby, once something goes through after a loss; it must not wait.
    void afterLoss(Runnable look) {
        afterLoss = look;
    }

    void miss(String problem) {
        seen.set(new Seen(problem, clocks.nanos()));
        sayLost(problem);
    }

    /// Whether the standby that commits wait for is there, as somebody has just seen.
    void standby(boolean there) {
        if (!there) {
            sayLost(ServerCheck.NO_STANDBY);
        } else if (saidLost.compareAndSet(true, false)) {
            LOG.info(LogEvent.LEDGER_BACK);
        }
    }

    private void sayLost(String reason) {
        if (saidLost.compareAndSet(false, true)) {
            LOG.warn(LogEvent.LEDGER_LOST, "reason", reason);
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

package dev.latchkey.gateway;

import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.List;

/// Runs the upkeep of a replica in turns: sweeping, purging, and whatever else is due now and then. Every replica does it;
/// each write is conditional, so none minds the others. One thread of its own.
public final class Upkeep implements AutoCloseable {

    private static final Log LOG = Log.of(Upkeep.class);

    private final List<Task> tasks;
    private final Duration every;
    private final Clocks clocks;
    private final Thread thread;

    /// One thing to do now and then.
    public interface Task {
        /// Logged when it changed something.
        LogEvent event();

        /// Does it.
        ///
        /// @return how many rows or entries it changed
        int runOnce();
    }

    private Upkeep(List<Task> tasks, Duration every, Clocks clocks) {
        this.tasks = List.copyOf(tasks);
        this.every = every;
        this.clocks = clocks;
        this.thread = Thread.ofVirtual().name("upkeep").unstarted(this::run);
    }

    /// Upkeep that has not begun.
    public static Upkeep of(List<Task> tasks, Duration every, Clocks clocks) {
        return new Upkeep(tasks, every, clocks);
    }

    /// Upkeep that has begun.
    public static Upkeep start(List<Task> tasks, Duration every, Clocks clocks) {
        Upkeep upkeep = of(tasks, every, clocks);
        upkeep.begin();
        return upkeep;
    }

    /// Begins with a first round at once; to be called once.
    public void begin() {
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                tasks.forEach(Upkeep::attempt);
                clocks.sleep(every);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void attempt(Task task) {
        try {
            int changed = task.runOnce();
            if (changed > 0) {
                LOG.info(task.event(), "changed", changed);
            }
        } catch (LedgerUnavailable e) {
            // Said once by whoever watches the ledger; the next round tries again.
        } catch (RuntimeException | Error e) {
            LOG.failure(LogEvent.UPKEEP_FAILED, e, "task", task.event().wireName());
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

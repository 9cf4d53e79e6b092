package dev.latchkey.gateway;

import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs the upkeep of a replica in turns: sweeping, purging, and whatever else is due now and then. Every replica does it;
/// each write is conditional, so none minds the others. One thread of its own.
public final class Upkeep implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    private final List<Task> tasks;
    private final Duration every;
    private final Clocks clocks;
    private final Thread thread;

    /// One thing to do now and then.
    public interface Task {
        /// For logs.
        String name();

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

    /// Starts with a first round at once.
    public static Upkeep start(List<Task> tasks, Duration every, Clocks clocks) {
        Upkeep upkeep = new Upkeep(tasks, every, clocks);
        upkeep.thread.start();
        return upkeep;
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
                LOG.atInfo().addKeyValue("task", task.name()).addKeyValue("changed", changed).log("upkeep");
            }
        } catch (LedgerUnavailable e) {
            LOG.atDebug().addKeyValue("task", task.name()).log("upkeep waits for the ledger");
        } catch (RuntimeException e) {
            // A round that fails must not end the upkeep: the next one tries again.
            LOG.atError().addKeyValue("task", task.name()).addKeyValue("error", e.getClass().getName()).log("upkeep failed");
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}

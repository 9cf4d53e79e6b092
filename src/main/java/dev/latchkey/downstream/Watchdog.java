package dev.latchkey.downstream;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Ends what has taken too long. A socket's own timeouts bound one read each and no write at all; a downstream that
/// trickles bytes, or takes none, is stopped only from another thread. One watchdog serves every client. Safe for any
/// number of threads.
public final class Watchdog implements AutoCloseable {

    private final ScheduledThreadPoolExecutor timer;

    public Watchdog() {
        timer = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().daemon().name("downstream-watchdog").factory());
        timer.setRemoveOnCancelPolicy(true);
    }

    /// Runs the action, which must not block, unless the alarm is disarmed before.
    Alarm arm(Duration after, Runnable action) {
        Alarm alarm = new Alarm(action);
        alarm.timer(timer.schedule(alarm::fire, after.toNanos(), TimeUnit.NANOSECONDS));
        return alarm;
    }

    /// Runs the task, which must not block, again and again until the future is cancelled.
    Future<?> every(Duration pause, Runnable task) {
        return timer.scheduleWithFixedDelay(task, pause.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

package dev.latchkey.gateway;

import dev.latchkey.telemetry.Log;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Waits whose end need not be exact, and seldom comes. A virtual thread's timed wait makes a task for the scheduler's
/// timer and takes it back, and each of the two may wake the timer's thread; here one thread looks at all ends at once,
/// twenty times a second. Safe for any number of threads.
final class Deadlines {

    private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();
    private static final long AFTER_MISHAP_NANOS = Duration.ofSeconds(1).toNanos();

    private final Mishaps mishaps = new Mishaps(Log.of(Deadlines.class));
    private final Set<Wait> waits = ConcurrentHashMap.newKeySet();
    private final LongSupplier nanos;

    /// Starts the thread, which never ends.
    ///
    /// @param nanos the monotonic clock
    Deadlines(LongSupplier nanos) {
        this.nanos = nanos;
        Thread.ofPlatform().daemon().name("deadlines").start(this::run);
    }

    private final class Wait {
        private final long end;
        /// Null once it is over: what the future keeps of it until its own end is small.
        private volatile @Nullable Thread thread = Thread.currentThread();

        private Wait(Duration time) {
            end = nanos.getAsLong() + time.toNanos();
        }

        boolean isSpent(long now) {
            return end - now <= 0;
        }

        void wake() {
            LockSupport.unpark(thread);
        }
    }

    /// As [Clocks#await], and up to a look later.
    <T> T await(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        Wait wait = new Wait(atMost);
        waits.add(wait);
        try {
            // From here on its end wakes this thread, or has come: no end is missed between a look at it and the wait.
            var _ = future.whenComplete((_, _) -> wait.wake());
            while (!future.isDone()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (wait.isSpent(nanos.getAsLong())) {
                    throw new TimeoutException();
                }
                LockSupport.park(this);
            }
            return future.get();
        } finally {
            waits.remove(wait);
            wait.thread = null;
        }
    }

    /// Whatever goes wrong: without this thread waits would last until what they wait for.
    private void run() {
        long rest = LOOK_NANOS;
        while (true) {
            try {
                LockSupport.parkNanos(this, rest);
                rest = LOOK_NANOS;
                look();
            } catch (RuntimeException | Error e) {
                rest = AFTER_MISHAP_NANOS;
                mishaps.survived(e);
            }
        }
    }

    /// Who is late is woken with each look, until it has gone: so a wake-up that meets it before it waits is not the last.
    private void look() {
        long now = nanos.getAsLong();
        for (Wait wait : waits) {
            if (wait.isSpent(now)) {
                wait.wake();
            }
        }
    }

    /// How many wait.
    int waiting() {
        return waits.size();
    }
}

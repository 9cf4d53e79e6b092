package dev.latchkey.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// This node's two clocks and its way to wait. Leases are never judged by them: only by the ledger's. Safe for any number
/// of threads.
public interface Clocks {

    /// Wall clock: goes on while the machine is suspended, may jump.
    Instant now();

    /// Monotonic clock in nanoseconds: never jumps, may stop while the machine is suspended.
    long nanos();

    /// Waits.
    ///
    /// @throws InterruptedException when interrupted
    void sleep(Duration time) throws InterruptedException;

    /// Waits until a future is done, for so long at most: of a future that is done already, and not a moment for one that is
    /// not, where no time is left.
    ///
    /// @throws TimeoutException when the time is over first
    /// @throws InterruptedException when interrupted
    default <T> T await(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        return future.get(Math.max(0, atMost.toNanos()), TimeUnit.NANOSECONDS);
    }
}

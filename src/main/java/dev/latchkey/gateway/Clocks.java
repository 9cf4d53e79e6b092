package dev.latchkey.gateway;

import java.time.Duration;
import java.time.Instant;

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
}

package dev.latchkey.gateway;

import java.time.Duration;
import java.time.Instant;

/// Whether an attempt may still send (G6). The start is read before the claim is handed to the ledger and never renewed;
/// both clocks must agree, for one stops in a suspended machine and the other may jump. Immutable; safe for any thread.
///
/// @param clocks the node's clocks
/// @param wallStart wall clock before the claim
/// @param start monotonic nanoseconds before the claim
/// @param width for how long
public record SendWindow(Clocks clocks, Instant wallStart, long start, Duration width) {

    /// Starts now.
    public static SendWindow from(Clocks clocks, Duration width) {
        return new SendWindow(clocks, clocks.now(), clocks.nanos(), width);
    }

    /// Whether a first byte, or a further one, may leave now.
    public boolean isOpen() {
        Duration byWall = Duration.between(wallStart, clocks.now());
        return elapsed().compareTo(width) < 0 && byWall.compareTo(width) < 0;
    }

    /// Monotonic time since the start.
    public Duration elapsed() {
        return Duration.ofNanos(clocks.nanos() - start);
    }
}

package dev.latchkey.gateway;

import java.time.Duration;

/// Time that runs out, by the monotonic clock. Immutable; safe for any thread.
///
/// @param clocks the node's clocks
/// @param end monotonic nanoseconds at which it is spent
record Patience(Clocks clocks, long end) {

    static Patience of(Clocks clocks, Duration time) {
        return new Patience(clocks, clocks.nanos() + time.toNanos());
    }

    /// What is left; zero once it is spent.
    Duration left() {
        long nanos = end - clocks.nanos();
        return nanos > 0 ? Duration.ofNanos(nanos) : Duration.ZERO;
    }

    boolean isSpent() {
        return left().isZero();
    }
}

package dev.latchkey.gateway;

import java.time.Duration;

/// Time that runs out, by the monotonic clock. Immutable; safe for any thread.
///
/// @param clocks the node's clocks
/// @param end monotonic nanoseconds at which it is spent
record Patience(Clocks clocks, long end) {

    /// How long anybody waits for a ledger that has fallen silent: ten seconds are promised.
    static final Duration OF_SILENCE = Duration.ofSeconds(8);
    /// What must be left of that for one more look, which takes five and a half seconds at most where nothing answers.
    static final Duration OF_LAST_LOOK = Duration.ofSeconds(4);

    static Patience of(Clocks clocks, Duration time) {
        return new Patience(clocks, clocks.nanos() + time.toNanos());
    }

    /// What is left; zero once it is spent.
    Duration left() {
        long nanos = end - clocks.nanos();
        return nanos > 0 ? Duration.ofNanos(nanos) : Duration.ZERO;
    }

    /// What is left of the one that is spent first.
    static Duration left(Patience one, Patience other) {
        Duration left = one.left();
        Duration others = other.left();
        return left.compareTo(others) < 0 ? left : others;
    }

    boolean isSpent() {
        return left().isZero();
    }
}

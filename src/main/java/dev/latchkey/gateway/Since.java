package dev.latchkey.gateway;

import java.time.Duration;
import java.time.Instant;

/// A moment by both of the node's clocks. Immutable; safe for any thread.
///
/// @param clocks the node's clocks
/// @param wall wall clock then
/// @param nanos monotonic nanoseconds then
record Since(Clocks clocks, Instant wall, long nanos) {

    static Since now(Clocks clocks) {
        return new Since(clocks, clocks.now(), clocks.nanos());
    }

    /// How long ago it was at most: one clock stands still in a suspended machine, and the other may jump.
    Duration elapsed() {
        Duration monotonic = Duration.ofNanos(clocks.nanos() - nanos);
        Duration byWall = Duration.between(wall, clocks.now());
        return monotonic.compareTo(byWall) < 0 ? byWall : monotonic;
    }
}

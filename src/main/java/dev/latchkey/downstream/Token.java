package dev.latchkey.downstream;

import java.time.Duration;

/// One access token. Never shown by `toString`.
///
/// @param value what goes behind `Bearer`
/// @param since monotonic nanoseconds before it was asked for
/// @param lifetime as the server said, from then on
record Token(String value, long since, Duration lifetime) {

    private static final Duration LAST_MOMENTS = Duration.ofSeconds(30);

    /// Whether another one should be had, though this one still counts.
    boolean isLate(long now) {
        return now - since >= lifetime.toNanos() / 4 * 3;
    }

    /// Whether it is, or may soon be, worth nothing: its last tenth, at most half a minute, is for the way of a request.
    boolean isOver(long now) {
        Duration tenth = lifetime.dividedBy(10);
        Duration kept = tenth.compareTo(LAST_MOMENTS) < 0 ? tenth : LAST_MOMENTS;
        return now - since >= lifetime.minus(kept).toNanos();
    }

    @Override
    public String toString() {
        return "(hidden)";
    }
}

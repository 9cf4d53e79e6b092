package dev.latchkey.testing;

import dev.latchkey.gateway.Clocks;
import java.time.Duration;
import java.time.Instant;

/// Clocks that stand still until a test moves them; one thread moves them, any number may read.
public final class FixedClocks implements Clocks {

    private final Instant start;
    private volatile Duration passed = Duration.ZERO;

    /// Since the epoch.
    public FixedClocks() {
        this(Instant.EPOCH);
    }

    /// @param start what is told before any time has passed
    public FixedClocks(Instant start) {
        this.start = start;
    }

    /// Time passes.
    public void forward(Duration time) {
        passed = passed.plus(time);
    }

    @Override
    public Instant now() {
        return start.plus(passed);
    }

    @Override
    public long nanos() {
        return passed.toNanos();
    }

    @Override
    public void sleep(Duration time) {
        throw new UnsupportedOperationException("nobody sleeps here");
    }
}

package dev.latchkey.downstream;

import dev.latchkey.gateway.Clocks;
import java.time.Duration;
import java.time.Instant;

/// Clocks that stand still until a test moves them.
final class FixedClocks implements Clocks {

    private volatile Duration passed = Duration.ZERO;

    void forward(Duration time) {
        passed = passed.plus(time);
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plus(passed);
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

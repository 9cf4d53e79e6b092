package dev.latchkey.gateway;

import java.time.Duration;
import java.time.Instant;

/// The machine's clocks.
public final class SystemClocks implements Clocks {

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }
}

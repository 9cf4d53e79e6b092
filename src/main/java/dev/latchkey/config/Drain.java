package dev.latchkey.config;

import java.time.Duration;

/// `drain`: how the gateway stops.
///
/// @param delay from the signal until new calls are refused
/// @param timeout how long calls under way may take after that
public record Drain(Duration delay, Duration timeout) {

    public Drain {
        new Checks()
                .atLeast(delay, Duration.ZERO, "delay")
                .atLeast(timeout, Duration.ZERO, "timeout")
                .done();
    }

    public static Drain defaults() {
        return new Drain(Duration.ofSeconds(5), Duration.ofSeconds(45));
    }
}

package dev.latchkey.config;

import java.time.Duration;

/// `wait`.
///
/// @param max cap of `Prefer: wait` (RFC 7240 §4.3)
public record WaitSettings(Duration max) {

    public WaitSettings {
        new Checks().atLeast(max, Duration.ZERO, "max").done();
    }

    public static WaitSettings defaults() {
        return new WaitSettings(Duration.ofSeconds(50));
    }
}

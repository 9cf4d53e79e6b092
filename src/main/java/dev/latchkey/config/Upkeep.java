package dev.latchkey.config;

import java.time.Duration;

/// `upkeep`.
///
/// @param every between two rounds of sweeping, settling and purging
public record Upkeep(Duration every) {

    public Upkeep {
        new Checks().positive(every, "every").done();
    }

    public static Upkeep defaults() {
        return new Upkeep(Duration.ofSeconds(5));
    }
}

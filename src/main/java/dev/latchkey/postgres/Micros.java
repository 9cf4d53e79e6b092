package dev.latchkey.postgres;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Durations as the ledger's statements take them.
final class Micros {

    /// A thousand years: past that PostgreSQL's timestamps would overflow.
    private static final long MOST = TimeUnit.DAYS.toMicros(365_250);

    private Micros() {}

    /// In microseconds; null stays null.
    static @Nullable Long of(@Nullable Duration duration) {
        return duration == null ? null : Math.min(MOST, TimeUnit.MICROSECONDS.convert(duration));
    }
}

package dev.latchkey.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/// What a part works with.
///
/// @param quick whether it must be short rather than exact
/// @param folder for whatever a part writes
/// @param progress for whoever waits
/// @param server the PostgreSQL of all parts, started with the first that asks
public record Bench(boolean quick, Path folder, Progress progress, Supplier<BenchServer> server) {

    /// How often each comparison is made.
    public int rounds() {
        return quick ? 2 : 5;
    }

    /// How long one side of a comparison is looked at in each round, after it has warmed up.
    public Duration look() {
        return quick ? Duration.ofMillis(800) : Duration.ofMillis(2_000);
    }

    /// How long it runs before it is looked at.
    public Duration rampUp() {
        return quick ? Duration.ofMillis(200) : Duration.ofMillis(500);
    }

    /// How long a fresh program runs at most before its first round.
    public Duration warmUp() {
        return quick ? Duration.ofSeconds(10) : Duration.ofSeconds(40);
    }
}

package dev.latchkey.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/// What a part works with.
///
/// @param quick whether it must be short rather than exact
/// @param look how long one side of a comparison is looked at in each round, after it has run up
/// @param folder for whatever a part writes
/// @param progress for whoever waits
/// @param server the PostgreSQL of all parts, started with the first that asks
public record Bench(boolean quick, Duration look, Path folder, Progress progress, Supplier<BenchServer> server) {

    static Bench of(boolean quick, Path folder, Progress progress, Supplier<BenchServer> server) {
        return new Bench(quick, Duration.ofMillis(quick ? 600 : 2_000), folder, progress, server);
    }

    /// The same with looks so long.
    Bench looking(Duration time) {
        return new Bench(quick, time, folder, progress, server);
    }

    /// How often each comparison is made.
    public int rounds() {
        return quick ? 3 : 5;
    }

    /// How long one side runs before it is looked at.
    public Duration rampUp() {
        return Duration.ofMillis(quick ? 200 : 300);
    }

    /// How long a fresh program runs at most before its first round.
    public Duration warmUp() {
        return Duration.ofSeconds(quick ? 8 : 30);
    }
}

package dev.latchkey.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Supplier;

/// What a part works with.
///
/// @param quick whether it must be short rather than exact
/// @param look how long one side of a comparison is looked at in each round, after it has run up
/// @param warmUp how long a fresh program runs at most before its first round
/// @param folder for whatever a part writes
/// @param progress for whoever waits
/// @param server the PostgreSQL of all parts, started with the first that asks
public record Bench(
        boolean quick, Duration look, Duration warmUp, Path folder, Progress progress, Supplier<BenchServer> server) {

    static Bench of(boolean quick, Path folder, Progress progress, Supplier<BenchServer> server) {
        return new Bench(
                quick, Duration.ofMillis(quick ? 600 : 1_700), Duration.ofSeconds(quick ? 8 : 26), folder, progress,
                server);
    }

    /// The same with looks so long.
    Bench looking(Duration time) {
        return new Bench(quick, time, warmUp, folder, progress, server);
    }

    /// The same with programs that run at most so long before.
    Bench warming(Duration time) {
        return new Bench(quick, look, time, folder, progress, server);
    }

    /// How often each comparison is made.
    public int rounds() {
        return quick ? 3 : 5;
    }

    /// How long one side runs before it is looked at.
    public Duration rampUp() {
        return Duration.ofMillis(quick ? 200 : 300);
    }
}

package dev.latchkey.telemetry;

import java.time.Duration;
import java.util.stream.LongStream;

/// Where the histograms are divided.
final class Buckets {

    private static final long[] SHORT = {100, 250, 500};
    private static final long[] MIDDLE = {1, 2, 5, 10, 25, 50, 100, 250, 500};
    private static final long[] LONG = {1_000, 2_500, 5_000, 10_000, 30_000, 60_000};

    private Buckets() {}

    /// A call, and a forward: as long as a downstream takes.
    static Duration[] ofCalls() {
        return LongStream.concat(LongStream.of(MIDDLE), LongStream.of(LONG)).mapToObj(Duration::ofMillis)
                .toArray(Duration[]::new);
    }

    /// What the gateway and its ledger take.
    static Duration[] ofOurs() {
        return LongStream.concat(
                LongStream.of(SHORT), LongStream.concat(LongStream.of(MIDDLE), LongStream.of(LONG).limit(4))
                        .map(millis -> millis * 1_000))
                .mapToObj(micros -> Duration.ofNanos(micros * 1_000)).toArray(Duration[]::new);
    }

    /// How many are written together.
    static double[] ofBatches() {
        return new double[] {1, 2, 4, 8, 16, 32, 64, 128, 256, 512};
    }
}

package dev.latchkey.bench;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// What one side of a comparison did in one round.
///
/// @param rate calls a second
/// @param gateway its processor's time, in microseconds a call
/// @param postgres its processor's time, in microseconds a call
/// @param wal bytes of write-ahead log a call, without images of whole pages
/// @param transactions that wrote something, a call
/// @param latencies in nanoseconds
record Look(double rate, double gateway, double postgres, double wal, double transactions, Histogram latencies) {

    /// Where nothing else is known.
    static Look ofRate(double rate) {
        return new Look(rate, 0, 0, 0, 0, new Histogram(3));
    }

    static Look between(Gauge.Reading from, Gauge.Reading to, long images, Histogram latencies) {
        double calls = to.calls() - from.calls();
        return new Look(
                calls * TimeUnit.SECONDS.toNanos(1) / (to.nanos() - from.nanos()),
                (to.gatewayNanos() - from.gatewayNanos()) / calls / 1_000,
                (to.postgresNanos() - from.postgresNanos()) / calls / 1_000,
                (to.wal() - from.wal() - images) / calls,
                (to.transactions() - from.transactions()) / calls,
                latencies);
    }

    double medianMillis() {
        return latencies.getValueAtPercentile(50) / 1e6;
    }
}

package dev.latchkey.bench;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/// Requests to a program.
///
/// @param name of this side
/// @param port where the program listens
/// @param pid its process, whose time is a gateway's; 0: it is none
/// @param requests what it is asked
/// @param gauge for what is used
record HttpSide(String name, int port, long pid, Requests requests, Gauge gauge) implements Side {

    private static final long FEWEST = 50;

    @Override
    public Look look(Bench bench, int callers) throws Exception {
        try (ClosedLoop loop = ClosedLoop.start(port, callers, requests)) {
            loop.await(bench.rampUp());
            Gauge.Reading before = gauge.read(loop::calls, pid);
            loop.measure(true);
            loop.await(bench.look());
            // On a machine that is busy with something else.
            loop.awaitCalls(before.calls() + FEWEST);
            Gauge.Reading after = gauge.read(loop::calls, pid);
            loop.measure(false);
            Histogram latencies = loop.stop();
            return Look.between(before, after, gauge.images(before, after), latencies);
        }
    }

    /// Lets the program compile what it runs often.
    void warmUp(Duration time, int callers) throws Exception {
        try (ClosedLoop loop = ClosedLoop.start(port, callers, requests)) {
            loop.await(time);
            loop.stop();
        }
    }
}

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
    private static final double FASTER = 1.05;
    private static final int FLAT_SECONDS = 4;

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

    /// Lets the program compile what it runs often: until a few seconds in a row were hardly faster than the best one
    /// before them, for half of that time at least: it becomes faster in steps.
    ///
    /// @return calls a second at its end
    double warmUp(Duration atMost, int callers) throws Exception {
        try (ClosedLoop loop = ClosedLoop.start(port, callers, requests)) {
            double best = 0;
            double last = 0;
            int flat = 0;
            for (long second = 0; second < atMost.toSeconds(); second++) {
                long before = loop.calls();
                loop.await(Duration.ofSeconds(1));
                last = loop.calls() - before;
                flat = last > best * FASTER ? 0 : flat + 1;
                best = Math.max(best, last);
                if (flat >= FLAT_SECONDS && second >= atMost.toSeconds() / 2) {
                    break;
                }
            }
            loop.stop();
            return last;
        }
    }
}

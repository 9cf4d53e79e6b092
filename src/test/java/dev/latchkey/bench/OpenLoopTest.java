package dev.latchkey.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/// At a hundred calls a second, each of which takes a millisecond.
class OpenLoopTest {

    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int CALLS = 1_000;

    private final Hands time = new Hands();
    private final OpenLoop loop = new OpenLoop(time, 0, 10 * MILLI, CALLS);
    private int calls;

    /// Waits without waiting.
    private static final class Hands implements OpenLoop.Time {
        private long now;

        @Override
        public long nanos() {
            return now;
        }

        @Override
        public void await(long until) {
            now = Math.max(now, until);
        }
    }

    @Test
    void callsInTimeAreAsLongAsTheyTake() throws IOException {
        Histogram latencies = run(0);
        assertThat(latencies.getTotalCount()).isEqualTo(CALLS);
        assertThat(millis(latencies, 0)).isEqualTo(1);
        assertThat(millis(latencies, 100)).isEqualTo(1);
    }

    /// One call stands still for a second: a hundred are due meanwhile, and each of them has waited.
    @Test
    void whoWasDueWhileAllStoodStillHasWaited() throws IOException {
        Histogram latencies = run(1_000);
        assertThat(latencies.getTotalCount()).isEqualTo(CALLS);
        assertThat(millis(latencies, 50)).isEqualTo(1);
        assertThat(millis(latencies, 100)).isEqualTo(1_001);
        long late = latencies.getCountBetweenValues(100 * MILLI, 2_000 * MILLI);
        assertThat(late).isBetween(95L, 105L);
        assertThat(millis(latencies, 99)).isGreaterThan(800);
    }

    private Histogram run(long stallMillis) throws IOException {
        loop.work(() -> time.now += MILLI + (calls++ == 500 ? stallMillis * MILLI : 0));
        return loop.latencies();
    }

    private static long millis(Histogram latencies, double percentile) {
        return Math.round(latencies.getValueAtPercentile(percentile) / (double) MILLI);
    }
}

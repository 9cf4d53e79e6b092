package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Hard;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Thousands of seeded runs of [Simulation], and each guard left out in turn. `-Dlatchkey.simulation.runs=N` makes it more.
@Hard
class SimulationIT {

    private static final int RUNS = Integer.getInteger("latchkey.simulation.runs", 2_000);
    private static final int FIRST = 1_000;
    private static final int MOST = 2_000;

    @Test
    void whateverFailsNothingHappensTwiceAndEveryAnswerStaysTrue() {
        Simulations.Sum sum = Simulations.check(LongStream.range(FIRST, FIRST + RUNS));
        assertThat(sum.forwards()).isGreaterThan(RUNS);
        assertThat(sum.answers()).contains("201 RECORDED", "201 RECORDED replayed", "201 IN_DOUBT", "201 streamed",
                "409 IN_DOUBT", "409 outcome-unknown", "409 in-progress", "410 response-gone", "422 RECORDED",
                "422 key-reused", "429 RELEASED", "500 IN_DOUBT", "502 not-forwarded", "502 outcome-unknown",
                "503 ledger-unavailable", "504 outcome-unknown");
    }

    /// A simulation that could not fail would prove nothing.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void missingGuardIsSeen(Guard guard) {
        assertThat(Simulations.seen(guard, MOST)).isTrue();
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Hundreds of seeded runs of [Simulation]. A seed that fails is printed with its story; `-Dlatchkey.simulation.seed=N`
/// runs that one alone.
class SimulationTest {

    private static final int RUNS = Integer.getInteger("latchkey.simulation.runs", 200);
    private static final int MOST = 2_000;
    private static final Long ONLY = Long.getLong("latchkey.simulation.seed");

    @Test
    void whateverFailsNothingHappensTwiceAndEveryAnswerStaysTrue() {
        Set<String> answers = new TreeSet<>();
        int forwards = 0;
        for (long seed : seeds()) {
            Simulation run = new Simulation(seed, BrokenLedger.Guard.NONE);
            if (!run.run().isEmpty()) {
                fail(run.story());
            }
            answers.addAll(run.answers());
            forwards += run.forwards();
        }
        if (ONLY == null) {
            assertThat(forwards).as("forwards").isGreaterThan(RUNS);
            assertThat(answers).contains("201 RECORDED", "201 RECORDED replayed", "201 IN_DOUBT", "201 streamed",
                    "409 outcome-unknown", "409 in-progress", "422 RECORDED", "422 key-reused", "429 RELEASED",
                    "500 IN_DOUBT",
                    "502 not-forwarded", "502 outcome-unknown", "503 ledger-unavailable", "504 outcome-unknown");
        }
    }

    /// A simulation that could not fail would prove nothing.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void missingGuardIsSeen(BrokenLedger.Guard guard) {
        for (long seed = 1; seed <= MOST; seed++) {
            Simulation run = new Simulation(seed, guard);
            if (!run.run().isEmpty()) {
                return;
            }
        }
        fail("not seen in " + MOST + " runs without " + guard);
    }

    private static List<Long> seeds() {
        List<Long> seeds = new ArrayList<>();
        for (long seed = 1; seed <= RUNS; seed++) {
            seeds.add(seed);
        }
        return ONLY == null ? seeds : List.of(ONLY);
    }

    @Test
    void seedReproducesARun() {
        Simulation one = new Simulation(42, BrokenLedger.Guard.NONE);
        Simulation other = new Simulation(42, BrokenLedger.Guard.NONE);
        one.run();
        other.run();
        assertThat(one.story()).isEqualTo(other.story());
    }
}

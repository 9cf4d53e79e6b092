package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Some seeded runs of [Simulation]; thousands are in [SimulationIT]. `-Dlatchkey.simulation.seed=N` runs that one alone
/// and prints its story.
class SimulationTest {

    private static final int RUNS = 25;
    private static final int MOST = 300;

    @Test
    void whateverFailsNothingHappensTwiceAndEveryAnswerStaysTrue() {
        Long only = Long.getLong("latchkey.simulation.seed");
        Simulations.check(only == null ? LongStream.rangeClosed(1, RUNS) : LongStream.of(only));
    }

    @Test
    void seedReproducesARun() {
        Simulations.quietly(() -> {
            Simulation one = new Simulation(42, Guard.NONE);
            Simulation other = new Simulation(42, Guard.NONE);
            one.run();
            other.run();
            assertThat(one.story()).isEqualTo(other.story());
        });
    }

    /// A simulation that could not fail would prove nothing. These are seen soonest; [SimulationIT] has all of them.
    @ParameterizedTest
    @EnumSource(
            names = {"FENCED_BY_ATTEMPT", "SETTLE_DELAY", "SEND_WINDOW", "ERASED_ENTRY_STAYS", "CORRECTION_SURVIVES"})
    void missingGuardIsSeen(Guard guard) {
        assertThat(Simulations.seen(guard, MOST)).isTrue();
    }
}

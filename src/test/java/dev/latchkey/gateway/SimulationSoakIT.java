package dev.latchkey.gateway;

import dev.latchkey.testing.Hard;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// `mvn -Psoak verify`: seeded runs of [Simulation] for `latchkey.soak.minutes`, from `latchkey.soak.seed` or wherever the
/// clock stands.
@Hard
@EnabledIfSystemProperty(named = "latchkey.soak.minutes", matches = "\\d+")
class SimulationSoakIT {

    private static final int ROUND = 500;

    @Test
    void nothingGoesWrongForALongTime() {
        Instant start = Instant.now();
        Instant end = start.plus(Duration.ofMinutes(Long.getLong("latchkey.soak.minutes", 10)));
        long first = Long.getLong("latchkey.soak.seed", start.toEpochMilli());
        long forwards = 0;
        for (long seed = first; Instant.now().isBefore(end); seed += ROUND) {
            forwards += Simulations.check(LongStream.range(seed, seed + ROUND)).forwards();
            Duration left = Duration.between(Instant.now(), end);
            System.out.printf(
                    "seeds %d to %d: %d forwards, nothing wrong; %d s left%n", first, seed + ROUND - 1, forwards,
                    Math.max(0, left.toSeconds()));
        }
    }
}

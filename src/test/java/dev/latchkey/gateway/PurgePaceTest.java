package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// How much the purge takes at once, and how long it rests.
class PurgePaceTest {

    private static final Duration MOMENT = Duration.ofMillis(20);

    @Test
    void chunkTakesAMomentOnQuickAndOnSlowServers() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            long nanosARow = random.nextLong(5_000, 350_000);
            PurgePace pace = new PurgePace();
            long took = 0;
            for (int chunk = 0; chunk < 40; chunk++) {
                took = pace.rows() * nanosARow * (80 + random.nextInt(40)) / 100;
                pace.rest(took, false);
            }
            assertThat(Duration.ofNanos(took)).as("seed " + seed)
                    .isBetween(MOMENT.dividedBy(2), MOMENT.multipliedBy(2));
        }
    }

    @Test
    void serverThatSlowsDownIsGivenLessAtOnce() {
        PurgePace pace = new PurgePace();
        int before = pace.rows();

        pace.rest(Duration.ofMillis(200).toNanos(), true);

        assertThat(pace.rows()).isLessThanOrEqualTo(before / 2);
    }

    /// After a long time without anything to purge it may be far too large for what comes then.
    @Test
    void chunkThatFailsIsTriedSmaller() {
        PurgePace pace = new PurgePace();
        for (int chunk = 0; chunk < 100; chunk++) {
            pace.rest(0, false);
        }
        int before = pace.rows();

        pace.failed();
        assertThat(pace.rows()).isEqualTo(before / 4);

        for (int chunk = 0; chunk < 100; chunk++) {
            pace.failed();
        }
        assertThat(pace.rows()).isEqualTo(50);
    }

    @Test
    void chunkIsNeverWithoutBounds() {
        PurgePace pace = new PurgePace();

        for (int chunk = 0; chunk < 100; chunk++) {
            pace.rest(0, false);
        }
        int most = pace.rows();
        for (int chunk = 0; chunk < 100; chunk++) {
            pace.rest(Duration.ofMinutes(1).toNanos(), false);
        }

        assertThat(most).isEqualTo(5_000);
        assertThat(pace.rows()).isEqualTo(50);
    }

    @Test
    void purgeTakesAFifthOfTheTimeWhileCallsAreUnderWay() {
        PurgePace pace = new PurgePace();

        assertThat(pace.rest(Duration.ofMillis(10).toNanos(), true)).isEqualTo(Duration.ofMillis(40));
        assertThat(pace.rest(Duration.ofMinutes(1).toNanos(), true)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void purgeDoesNotRestWhileNobodyCalls() {
        assertThat(new PurgePace().rest(Duration.ofSeconds(1).toNanos(), false)).isZero();
    }
}

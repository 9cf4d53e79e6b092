package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.gateway.Ledger.Purged;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// How a backlog is worked off.
class PurgerTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final long STATEMENT_NANOS = Duration.ofSeconds(4).toNanos();

    private final Hand clocks = new Hand();
    private final Backlog backlog = new Backlog();
    private final Purger purger = new Purger(backlog.ledger(), DAY, clocks);

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    @Test
    void roundGoesOnUntilNothingIsLeft() {
        backlog.rows = 300_000;

        assertThat(purger.runOnce()).isEqualTo(300_000);

        assertThat(purger.runOnce()).isZero();
    }

    @Test
    void nobodyWaitsWhileNobodyCalls() {
        backlog.rows = 300_000;

        purger.runOnce();

        assertThat(clocks.slept).isEmpty();
    }

    @Test
    void callsHaveFourFifthsOfTheTime() {
        for (int seed = 0; seed < 50; seed++) {
            backlog.random = new Random(seed);
            backlog.nanosARow = backlog.random.nextLong(2_000, 100_000);
            backlog.rows = 100_000;
            backlog.calls = true;
            backlog.busyNanos = 0;
            long start = clocks.nanos;

            purger.runOnce();

            assertThat((double) backlog.busyNanos / (clocks.nanos - start)).as("seed " + seed).isBetween(0.19, 0.25);
        }
    }

    @Test
    void longBacklogIsToldAndGoesOnInTheNextRound() {
        backlog.rows = 10_000_000;
        backlog.calls = true;

        int first = purger.runOnce();

        assertThat(first).isPositive().isLessThan(10_000_000);
        assertThat(Duration.ofNanos(clocks.nanos)).isBetween(Duration.ofMinutes(1), Duration.ofSeconds(61));
        assertThat(purger.lag()).isEqualTo(Duration.ofHours(2));
        assertThat(purger.runOnce()).isPositive();
    }

    /// Chunks grow while there is nothing to purge.
    @Test
    void chunkThatIsTooMuchForAStatementIsNotTriedForEver() {
        for (int i = 0; i < 20; i++) {
            purger.runOnce();
        }
        backlog.rows = 10_000;
        backlog.nanosARow = Duration.ofMillis(2).toNanos();

        assertThatThrownBy(purger::runOnce).isInstanceOf(LedgerUnavailable.class);

        assertThat(purger.runOnce()).isEqualTo(10_000);
    }

    @Test
    void lagIsGoneWithTheBacklog() {
        backlog.rows = 100_000;

        purger.runOnce();

        assertThat(purger.lag()).isZero();
    }

    @Test
    void rowsThatAnotherReplicaTakesAreLeftToIt() {
        backlog.rows = 100_000;
        backlog.beaten = true;

        assertThat(purger.runOnce()).isZero();

        assertThat(backlog.chunks).hasSize(1);
    }

    @Test
    void closingEndsTheRound() {
        backlog.rows = 10_000_000;
        backlog.calls = true;
        Thread.currentThread().interrupt();

        purger.runOnce();

        assertThat(backlog.chunks).hasSize(1);
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    /// Rows past their retention, each of which takes its time.
    private final class Backlog {

        private int rows;
        private long nanosARow = 10_000;
        private boolean calls;
        private boolean beaten;
        private long busyNanos;
        private Random random = new Random(7);
        private final List<Integer> chunks = new ArrayList<>();

        Ledger ledger() {
            return (Ledger) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                        assertThat(method.getName()).isEqualTo("purge");
                        assertThat(arguments[1]).isEqualTo(DAY);
                        return purge((int) arguments[0]);
                    });
        }

        private Purged purge(int most) {
            int gone = beaten ? 0 : Math.min(most, rows);
            if (gone * nanosARow > STATEMENT_NANOS) {
                clocks.nanos += STATEMENT_NANOS;
                throw new LedgerUnavailable("too long", false, null);
            }
            chunks.add(gone);
            rows -= gone;
            long took = gone * nanosARow * (70 + random.nextInt(60)) / 100;
            busyNanos += took;
            clocks.nanos += took;
            return new Purged(gone, gone == most || beaten, gone == 0 ? Duration.ZERO : Duration.ofHours(2), calls);
        }
    }

    /// Clocks that go on by what is done and slept.
    private static final class Hand implements Clocks {

        private long nanos;
        private final List<Duration> slept = new ArrayList<>();

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            slept.add(time);
            nanos += time.toNanos();
        }
    }
}

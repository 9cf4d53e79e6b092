package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Ledger.Health;
import dev.latchkey.gateway.LedgerUnavailable;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Says how the ledger is, without making whoever asks wait for a ledger that is away. Safe for any number of threads.
final class Checkup {

    private static final Duration FRESH = Duration.ofSeconds(1);
    private static final long PATIENCE_MILLIS = 500;

    private final Preparation preparation;
    private final Reads reads;
    private final Pulse pulse;
    private final Primary primary;
    private final Clocks clocks;
    private final AtomicReference<@Nullable CountDownLatch> look = new AtomicReference<>();
    private volatile Standby standby = new Standby(true, Long.MIN_VALUE);

    /// @param seen whether commits need not wait for one that is away
    /// @param at monotonic nanoseconds
    private record Standby(boolean seen, long at) {}

    Checkup(Preparation preparation, Reads reads, Pulse pulse, Primary primary, Clocks clocks) {
        this.preparation = preparation;
        this.reads = reads;
        this.pulse = pulse;
        this.primary = primary;
        this.clocks = clocks;
    }

    /// Without the standby that commits wait for, reading goes on and nothing else does, and reading only as long as there
    /// are connections, for no new one is made: the ledger answers, and that is its problem.
    Health health() {
        boolean inTime = (isFresh() && pulse.age().compareTo(FRESH) < 0) || looked();
        String unfit = preparation.unfit();
        if (unfit != null) {
            return new Health(true, false, unfit);
        }
        String problem = inTime ? pulse.problem() : primary.whyNot("it did not answer in time");
        if (problem == null ? !standby.seen() : problem.equals(ServerCheck.NO_STANDBY)) {
            return new Health(true, true, ServerCheck.NO_STANDBY);
        }
        return new Health(problem == null, true, problem);
    }

    /// Looks without waiting for it, unless somebody has just looked.
    void lookAgain() {
        if (!isFresh()) {
            CountDownLatch _ = begin();
        }
    }

    private boolean isFresh() {
        Standby known = standby;
        return known.at() != Long.MIN_VALUE && clocks.nanos() - known.at() < FRESH.toNanos();
    }

    /// Looks and waits a little for it.
    private boolean looked() {
        try {
            return begin().await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// One look at a time.
    ///
    /// @return open once it is over
    private CountDownLatch begin() {
        CountDownLatch mine = new CountDownLatch(1);
        CountDownLatch running = look.compareAndExchange(null, mine);
        if (running != null) {
            return running;
        }
        Thread.ofVirtual().name("ledger-checkup").start(() -> look(mine));
        return mine;
    }

    private void look(CountDownLatch mine) {
        try {
            preparation.require();
            standby = new Standby(reads.seesStandby(pulse), clocks.nanos());
        } catch (LedgerUnavailable e) {
            pulse.miss(primary.whyNot());
        } finally {
            look.set(null);
            mine.countDown();
        }
    }
}

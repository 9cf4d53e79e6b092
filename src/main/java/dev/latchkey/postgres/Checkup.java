package dev.latchkey.postgres;

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
    private final boolean replicated;
    private final AtomicReference<@Nullable CountDownLatch> look = new AtomicReference<>();

    /// @param replicated whether to look for a synchronous standby too: without one, reading goes on and nothing else does
    Checkup(Preparation preparation, Reads reads, Pulse pulse, Primary primary, boolean replicated) {
        this.preparation = preparation;
        this.reads = reads;
        this.pulse = pulse;
        this.primary = primary;
        this.replicated = replicated;
    }

    Health health() {
        boolean inTime = (!replicated && pulse.age().compareTo(FRESH) < 0) || looked();
        String unfit = preparation.unfit();
        if (unfit != null) {
            return new Health(true, false, unfit);
        }
        String problem = inTime ? pulse.problem() : "it did not answer in time";
        return new Health(problem == null, true, problem);
    }

    /// Looks, one look at a time, and waits a little for it.
    private boolean looked() {
        CountDownLatch mine = new CountDownLatch(1);
        CountDownLatch running = look.compareAndExchange(null, mine);
        if (running == null) {
            Thread.ofVirtual().name("ledger-checkup").start(() -> look(mine));
        }
        try {
            return (running == null ? mine : running).await(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void look(CountDownLatch mine) {
        try {
            preparation.require();
            reads.ask();
            if (replicated && !reads.seesStandby()) {
                pulse.miss(ServerCheck.NO_STANDBY);
            }
        } catch (LedgerUnavailable e) {
            pulse.miss(primary.whyNot());
        } finally {
            look.set(null);
            mine.countDown();
        }
    }
}

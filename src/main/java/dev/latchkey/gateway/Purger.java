package dev.latchkey.gateway;

import dev.latchkey.gateway.Ledger.Purged;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;

/// Deletes what is past its retention, in small chunks, until nothing is left: at full speed while nobody calls, and with
/// rests between while calls are under way. For one thread, but for [#lag()].
public final class Purger implements Upkeep.Task {

    /// Then the round ends, so that its log tells how it gets on.
    private static final Duration LONGEST_ROUND = Duration.ofMinutes(1);

    private final Ledger ledger;
    private final Duration keepFreed;
    private final Clocks clocks;
    private final PurgePace pace = new PurgePace();
    private volatile Duration lag = Duration.ZERO;

    /// Purges this ledger.
    ///
    /// @param keepFreed how long released entries and expired rejections stay, for they hold the correction number: the
    ///     longest `deduplicates`, and at least a day (G19)
    public Purger(Ledger ledger, Duration keepFreed, Clocks clocks) {
        this.ledger = ledger;
        this.keepFreed = keepFreed;
        this.clocks = clocks;
    }

    @Override
    public LogEvent event() {
        return LogEvent.PURGED;
    }

    /// How long the oldest row has been past its retention, as far as this replica saw; zero: nothing was left.
    public Duration lag() {
        return lag;
    }

    @Override
    public int runOnce() {
        int all = 0;
        long start = clocks.nanos();
        try {
            // One that is beaten to every row by another replica's purge leaves it the rest, too.
            for (int rows = chunk(); rows > 0; rows = chunk()) {
                all += rows;
                if (lag.isZero() || clocks.nanos() - start >= LONGEST_ROUND.toNanos()) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return all;
    }

    private int chunk() throws InterruptedException {
        long start = clocks.nanos();
        Purged purged;
        try {
            purged = ledger.purge(pace.rows(), keepFreed);
        } catch (LedgerUnavailable e) {
            // It may have been too much for the time that a statement has: the same again would fail for ever.
            pace.failed();
            throw e;
        }
        lag = purged.more() ? purged.behind() : Duration.ZERO;
        Duration rest = pace.rest(clocks.nanos() - start, purged.callsUnderWay());
        if (purged.more() && !rest.isZero()) {
            clocks.sleep(rest);
        }
        return purged.rows();
    }
}

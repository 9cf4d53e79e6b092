package dev.latchkey.gateway;

import dev.latchkey.telemetry.LogEvent;

import java.time.Duration;

/// Deletes what is past its retention, in small batches, a bounded number of them in a round.
public final class Purger implements Upkeep.Task {

    private static final int AT_ONCE = 1_000;
    private static final int BATCHES = 100;

    private final Ledger ledger;
    private final Duration keepFreed;

    /// Purges this ledger.
    ///
    /// @param keepFreed how long released entries and expired rejections stay, for they hold the correction number: the
    ///     longest `deduplicates`, and at least a day (G19)
    public Purger(Ledger ledger, Duration keepFreed) {
        this.ledger = ledger;
        this.keepFreed = keepFreed;
    }

    @Override
    public LogEvent event() {
        return LogEvent.PURGED;
    }

    @Override
    public int runOnce() {
        int all = 0;
        for (int batch = 0; batch < BATCHES; batch++) {
            int purged = ledger.purge(AT_ONCE, keepFreed);
            all += purged;
            if (purged == 0) {
                break;
            }
        }
        return all;
    }
}

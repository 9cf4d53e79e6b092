package dev.latchkey.gateway;

import dev.latchkey.telemetry.LogEvent;

/// Puts claims in doubt whose lease is over: their process died, or stalled. A call that meets such a claim does so itself;
/// this is for the keys that nobody asks for.
public final class Sweeper implements Upkeep.Task {

    /// Claims at once: what one statement changes.
    static final int AT_ONCE = 500;

    private final Ledger ledger;

    /// Sweeps this ledger.
    public Sweeper(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public LogEvent event() {
        return LogEvent.SWEPT;
    }

    @Override
    public int runOnce() {
        int all = 0;
        for (int swept = AT_ONCE; swept == AT_ONCE; all += swept) {
            swept = ledger.sweep(AT_ONCE);
        }
        return all;
    }
}

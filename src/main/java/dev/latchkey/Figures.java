package dev.latchkey;

import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.gateway.Places;
import dev.latchkey.gateway.ReplayCache;
import dev.latchkey.gateway.Upkeep;
import dev.latchkey.gateway.Waiters;
import dev.latchkey.server.Drain;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.Metrics;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Figures that are shown as they stand. Those of the ledger are asked for at each round of upkeep, not at each scrape.
final class Figures implements Upkeep.Task {

    private final Ledger ledger;
    private volatile Ledger.@Nullable Doubts doubts;

    Figures(Ledger ledger) {
        this.ledger = ledger;
    }

    void show(Metrics metrics, ByteBudget budget, ReplayCache cache, Waiters waiters, Places places, Drain drain) {
        metrics.gauge(Metrics.Figure.ENTRIES_IN_DOUBT, () -> {
            Ledger.Doubts known = doubts;
            return known == null ? null : known.count();
        });
        metrics.gauge(Metrics.Figure.OLDEST_DOUBT, () -> {
            Ledger.Doubts known = doubts;
            Duration oldest = known == null ? null : known.oldest();
            return oldest == null ? 0 : oldest.toSeconds();
        });
        metrics.gauge(Metrics.Figure.WAITING, waiters::waiting);
        metrics.gauge(Metrics.Figure.CALLS_UNDER_WAY, drain::underWay);
        metrics.gauge(Metrics.Figure.FORWARDS_UNDER_WAY, places::taken);
        metrics.gauge(Metrics.Figure.BODIES_HELD, budget::held);
        metrics.gauge(Metrics.Figure.CACHE_ENTRIES, cache::count);
        metrics.gauge(Metrics.Figure.CACHE_SIZE, cache::bytes);
        metrics.gauge(Metrics.Figure.LEDGER_REACHABLE, () -> ledger.health().reachable() ? 1 : 0);
    }

    @Override
    public LogEvent event() {
        return LogEvent.DOUBT;
    }

    /// Asks the ledger; while it is away the figures are not known.
    @Override
    public int runOnce() {
        try {
            doubts = ledger.doubts();
        } catch (LedgerUnavailable e) {
            doubts = null;
            throw e;
        }
        return 0;
    }
}

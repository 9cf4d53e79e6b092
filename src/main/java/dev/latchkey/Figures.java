package dev.latchkey;

import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.gateway.Places;
import dev.latchkey.gateway.ReplayCache;
import dev.latchkey.gateway.Upkeep;
import dev.latchkey.gateway.Waiters;
import dev.latchkey.postgres.Connections;
import dev.latchkey.postgres.PostgresLedger;
import dev.latchkey.protocol.State;
import dev.latchkey.server.Drain;
import dev.latchkey.telemetry.Figure;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.Metrics;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Figures that are shown as they stand. Those of the ledger are asked for at each round of upkeep, not at each scrape.
final class Figures implements Upkeep.Task {

    private final Ledger ledger;
    private volatile Ledger.@Nullable Doubts doubts;
    private volatile Ledger.@Nullable Counts counts;

    Figures(Ledger ledger) {
        this.ledger = ledger;
    }

    void show(Metrics metrics, ByteBudget budget, ReplayCache cache, Waiters waiters, Places places, Drain drain) {
        metrics.gauge(Figure.ENTRIES, () -> {
            Ledger.Doubts known = doubts;
            return known == null ? null : known.count();
        }, "state", State.IN_DOUBT.wireName());
        count(metrics, State.CLAIMED, Ledger.Counts::claimed);
        count(metrics, State.RECORDED, Ledger.Counts::recorded);
        count(metrics, State.RELEASED, Ledger.Counts::released);
        metrics.gauge(Figure.OLDEST_DOUBT, () -> {
            Ledger.Doubts known = doubts;
            Duration oldest = known == null ? null : known.oldest();
            return known == null ? null : oldest == null ? 0 : oldest.toSeconds();
        });
        metrics.gauge(Figure.WAITING, waiters::waiting);
        metrics.gauge(Figure.CALLS_UNDER_WAY, drain::underWay);
        metrics.gauge(Figure.FORWARDS_UNDER_WAY, places::taken);
        metrics.gauge(Figure.BODIES_HELD, budget::held);
        metrics.gauge(Figure.CACHE_ENTRIES, cache::count);
        metrics.gauge(Figure.CACHE_SIZE, cache::bytes);
        metrics.gauge(Figure.LEDGER_REACHABLE, () -> ledger.health().reachable() ? 1 : 0);
        metrics.gauge(Figure.LEDGER_WRITABLE, () -> ledger.health().problem() == null ? 1 : 0);
    }

    static void show(Metrics metrics, PostgresLedger ledger) {
        metrics.gauge(Figure.LANES, ledger::lanesOpen);
        metrics.gauge(Figure.QUEUED, ledger::queued);
        for (Connections pool : ledger.connections()) {
            metrics.gauge(Figure.CONNECTIONS_IN_USE, pool::inUse, "pool", pool.pool());
            metrics.gauge(Figure.CONNECTIONS_OPEN, pool::open, "pool", pool.pool());
            metrics.gauge(Figure.CONNECTIONS_MOST, pool::most, "pool", pool.pool());
            metrics.gauge(Figure.CONNECTIONS_AWAITED, pool::awaited, "pool", pool.pool());
        }
    }

    private void count(Metrics metrics, State state, Function<Ledger.Counts, Long> figure) {
        metrics.gauge(Figure.ENTRIES, () -> {
            Ledger.Counts known = counts;
            return known == null ? null : figure.apply(known);
        }, "state", state.wireName());
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
            counts = ledger.counts();
        } catch (LedgerUnavailable e) {
            doubts = null;
            counts = null;
            throw e;
        }
        return 0;
    }
}

package dev.latchkey.gateway;

import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.telemetry.Event;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.Metrics;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Carries an attempt's transition into the ledger, for as long as the process lives: a lost ledger is asked again, an
/// unknown commit is confirmed by a write. Safe for any number of threads.
final class Settling {

    private static final Log LOG = Log.of(Settling.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Ledger ledger;
    private final ReplayCache cache;
    private final Waiters waiters;
    private final Clocks clocks;
    private final Metrics metrics;

    Settling(Ledger ledger, ReplayCache cache, Waiters waiters, Clocks clocks, Metrics metrics) {
        this.ledger = ledger;
        this.cache = cache;
        this.waiters = waiters;
        this.clocks = clocks;
        this.metrics = metrics;
    }

    /// Whether the entry stands where this attempt's transition takes it. A settler writes an attempt id of its own, so a
    /// recorded entry with this one was recorded by this attempt (G5).
    static boolean isDoneBy(Entry entry, long attempt, Transition transition) {
        return entry.attempt() == attempt && entry.state() == stateAfter(transition);
    }

    private static State stateAfter(Transition transition) {
        return switch (transition) {
            case Transition.Record r -> State.RECORDED;
            case Transition.Executed e -> State.RECORDED;
            case Transition.Release r -> State.RELEASED;
            case Transition.NotExecuted n -> State.RELEASED;
            case Transition.Doubt d -> State.IN_DOUBT;
            case Transition.LeaseOver l -> State.IN_DOUBT;
            case Transition.Result r -> State.RECORDED;
            case Transition.Renew r -> State.CLAIMED;
        };
    }

    /// Settles, however long it takes.
    ///
    /// @return what the ledger holds then; null: no entry
    @Nullable
    Found settle(Entry claimed, Transition transition) {
        Duration pause = FIRST_PAUSE;
        while (true) {
            Since asked = Since.now(clocks);
            try {
                Found now = trySettle(claimed, transition);
                if (now != null && transition instanceof Transition.Record) {
                    cache.learn(now, asked);
                }
                return now;
            } catch (LedgerUnavailable e) {
                pause = sleep(pause);
            }
        }
    }

    private @Nullable Found trySettle(Entry claimed, Transition transition) {
        EntryId id = claimed.id();
        long attempt = claimed.attempt();
        return switch (ledger.settle(id, attempt, transition)) {
            case Ledger.Settled.Applied applied -> applied.now();
            case Ledger.Settled.Lost lost -> {
                Found held = lost.found();
                if (held != null && isDoneBy(held.entry(), attempt, transition)) {
                    // An earlier try was committed and its acknowledgement lost: make sure by a write (G7).
                    if (!ledger.confirm(id, attempt, held.entry().state())) {
                        // It has moved on since it was read: what was read is worth nothing.
                        throw new LedgerUnavailable("the entry moved on while it was confirmed", false, null);
                    }
                    yield held;
                }
                if (held != null && transition.applyTo(held.entry(), attempt, held.now()).isPresent()) {
                    // The ledger forgot, between the loss and the look, what had won: a commit that a failover lost.
                    throw new LedgerUnavailable("the entry can be settled after all", false, null);
                }
                yield afterLoss(claimed, transition, held);
            }
        };
    }

    /// A genuine response is never just dropped (G18): it comes back if the row is gone, else it is kept in the history.
    private @Nullable Found afterLoss(Entry claimed, Transition transition, @Nullable Found held) {
        if (transition instanceof Transition.Record recorded) {
            if (held == null && recorded.succeeded() && ledger.putBack(claimed, recorded)) {
                return ledger.find(claimed.id());
            }
            ledger.noteLateResponse(claimed.id(), claimed.attempt(), recorded);
            metrics.count(Event.LATE_RESPONSE, claimed.route());
            LOG.warn(LogEvent.LATE_RESPONSE, "entry", claimed.id(), "route", claimed.route(), "status",
                    recorded.status());
        }
        return held;
    }

    /// Counts how a forward ended, and says so where it left doubt.
    void count(Entry claimed, Transition transition, Outcome outcome, long nanos) {
        int status = outcome instanceof Outcome.Answered answered ? answered.status() : 0;
        String name = outcome instanceof Outcome.NotSent ? "not-sent" : stateAfter(transition).wireName();
        metrics.forwarded(claimed.route(), name, status, nanos);
        if (transition instanceof Transition.Doubt doubt) {
            metrics.count(Event.DOUBT, claimed.route());
            LOG.warn(LogEvent.DOUBT, "entry", claimed.id(), "route", claimed.route(), "cause", doubt.cause().name());
        }
    }

    /// Makes the end known to those who wait.
    void end(LocalAttempt local, LocalAttempt.End end) {
        waiters.end(local, end);
    }

    private Duration sleep(Duration pause) {
        try {
            clocks.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the ledger was away", e);
        }
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}

package dev.latchkey.gateway;

import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A ledger that lacks one guard, to see whether a test would notice.
final class BrokenLedger implements Ledger {

    private static final Duration FOR_EVER = Duration.ofDays(1_000);

    private final Ledger ledger;
    private final MemoryLedger memory;
    private final Tampering tampering;
    private final Stage stage;
    private final Guard missing;
    private final Set<Long> released = new HashSet<>();

    /// @param ledger keeps all guards
    /// @param memory what it keeps its entries in
    BrokenLedger(Ledger ledger, MemoryLedger memory, Chronicle chronicle, Stage stage, Guard missing) {
        this.ledger = ledger;
        this.memory = memory;
        this.tampering = new Tampering(memory, chronicle);
        this.stage = stage;
        this.missing = missing;
    }

    @Override
    public Claimed claim(Claim claim) {
        EntryId id = claim.ask().id();
        Found found = ledger.find(id);
        if (missing == Guard.NO_TAKEOVER_BY_AGE && found != null && found.entry().state() == State.CLAIMED
                && found.entry().claimedAt().plusSeconds(10).isBefore(found.now())) {
            long seen = found.entry().attempt();
            ledger.settle(id, seen, new Transition.Release(Cause.ABANDONED));
            return ledger.claim(new Claim(claim.ask(), claim.attempt(), new Grounds.NewGeneration(seen)));
        }
        Claimed claimed = ledger.claim(missing == Guard.DEDUPLICATION_WINDOW ? withoutEnd(claim) : claim);
        if (missing == Guard.LOSER_LEAVES_THE_RESPONSE && claimed instanceof Claimed.Lost
                && claim.grounds() instanceof Grounds.NewGeneration) {
            tampering.remove(id, false);
        }
        return claimed instanceof Claimed.Lost(Found now) ? new Claimed.Lost(shown(now)) : claimed;
    }

    private static Claim withoutEnd(Claim claim) {
        Ask ask = claim.ask();
        Route r = ask.route();
        Route endless = new Route(
                r.name(), r.timeout(), r.leaseMargin(), r.deduplicates() == null ? null : FOR_EVER, r.resend(),
                r.lookup(), r.corrections(), r.sentAs(), r.statuses(), r.retention());
        return new Claim(
                new Ask(
                        ask.id(), ask.client(), ask.key(), endless, ask.fingerprint(), ask.digest(), ask.method(),
                        ask.target()),
                claim.attempt(), claim.grounds());
    }

    @Override
    public Settled settle(EntryId id, long attempt, Transition transition) {
        Found found = ledger.find(id);
        long current = found == null ? attempt : found.entry().attempt();
        return switch (transition) {
            case Transition.NotExecuted it when missing == Guard.VERDICT_BOUND_TO_ATTEMPT -> ledger.settle(
                    id, current, atAnyTime(it));
            case Transition.Executed it when missing == Guard.VERDICT_BOUND_TO_ATTEMPT -> ledger.settle(
                    id, current, it);
            case Transition.Release it when missing == Guard.RELEASED_UNTIL_GONE && it.cause().equals(Cause.ABANDONED)
                    && !released.add(attempt) -> new Settled.Lost(found);
            case Transition.Executed it -> ledger.settle(id, attempt, it);
            case Transition.NotExecuted it -> ledger.settle(id, attempt, it);
            case Transition.Doubt it when found != null && found.entry().isReforward() && current == attempt ->
                    ofReforward(found, it);
            case Transition.Record it when missing == Guard.DOUBT_IS_REMEMBERED && found != null
                    && current == attempt && found.entry().state() == State.IN_DOUBT ->
                    changed(found.entry(), State.CLAIMED, null, 1, it);
            case Transition.Doubt it when missing == Guard.FENCED_BY_STATE && found != null && current == attempt
                    && found.entry().state() != State.IN_DOUBT ->
                    changed(found.entry(), State.CLAIMED, found.entry().inDoubtSince(), found.entry().attempts(), it);
            default -> ledger.settle(id, missing == Guard.FENCED_BY_ATTEMPT ? current : attempt, transition);
        };
    }

    private static Transition.NotExecuted atAnyTime(Transition.NotExecuted it) {
        return new Transition.NotExecuted(
                it.asOf(), Duration.ofDays(-1), it.deduplicates(), it.timeout(), it.settler(), it.reason());
    }

    private Settled ofReforward(Found found, Transition.Doubt it) {
        Entry entry = found.entry();
        Integer status = it.status();
        if (missing == Guard.REFORWARD_IS_NOT_RELEASED && it.cause().equals(Cause.NOT_SENT)) {
            return changed(entry, entry.state(), entry.inDoubtSince(), 1, new Transition.Release(it.cause()));
        }
        if (missing == Guard.REFORWARD_IS_SETTLED_BY_SUCCESS && status != null && status < 500) {
            return ledger.settle(
                    entry.id(), entry.attempt(),
                    new Transition.Record(status, it.headers(), it.body(), true, Retention.usual()));
        }
        return ledger.settle(entry.id(), entry.attempt(), it);
    }

    private Settled changed(
            Entry entry, State state, @Nullable Instant inDoubtSince, int attempts, Transition transition) {
        tampering.put(Tampering.unsettled(entry, state, inDoubtSince, attempts));
        return ledger.settle(entry.id(), entry.attempt(), transition);
    }

    @Override
    public Settled erase(EntryId id, String reason, String by) {
        Settled erased = ledger.erase(id, reason, by);
        if (missing == Guard.ERASED_ENTRY_STAYS && erased instanceof Settled.Applied) {
            tampering.remove(id, true);
        }
        return erased;
    }

    @Override
    public boolean confirm(EntryId id, long attempt, State state) {
        Found found = missing == Guard.CONFIRMED_BY_WRITE ? ledger.find(id) : null;
        return found == null
                ? ledger.confirm(id, attempt, state)
                : found.entry().attempt() == attempt && found.entry().state() == state;
    }

    @Override
    public boolean putBack(Entry claimed, Transition.Record recorded) {
        return ledger.putBack(claimed, recorded);
    }

    @Override
    public void noteLateResponse(EntryId id, long attempt, Transition.Record late) {
        ledger.noteLateResponse(id, attempt, late);
    }

    @Override
    public @Nullable Found find(EntryId id) {
        return shown(ledger.find(id));
    }

    private @Nullable Found shown(@Nullable Found found) {
        if (found != null && missing == Guard.DEDUPLICATION_WINDOW && found.entry().state() == State.IN_DOUBT) {
            return new Found(Tampering.justForwarded(found), found.response(), found.now());
        }
        RecordedResponse response = found == null ? null : found.response();
        if (found != null && response != null && missing == Guard.CACHE_EXPIRES) {
            return new Found(
                    Tampering.forEver(found.entry()), new RecordedResponse(response.headers(), response.body(), null),
                    found.now());
        }
        return found;
    }

    @Override
    public List<Ended> look(Collection<Watched> attempts, long bytes) {
        return ledger.look(attempts, bytes);
    }

    @Override
    public Page list(Query query) {
        return ledger.list(query);
    }

    @Override
    public List<Event> history(EntryId id) {
        return ledger.history(id);
    }

    @Override
    public int sweep(int most) {
        if (missing == Guard.SWEEP_LOOKS_AGAIN) {
            List<Entry> due = memory.contents().entries().values().stream()
                    .filter(entry -> entry.leaseOver(memory.now())).toList();
            pause();
            due.forEach(picked -> {
                Found found = ledger.find(picked.id());
                if (found != null) {
                    Entry e = found.entry();
                    changed(e, State.CLAIMED, e.inDoubtSince(), e.attempts(), Transition.Doubt.of(Cause.LEASE_OVER));
                }
            });
            return due.size();
        }
        return ledger.sweep(most);
    }

    private void pause() {
        try {
            stage.sleep(Duration.ofSeconds(missing == Guard.SWEEP_LOOKS_AGAIN ? 60 : 3));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Purged purge(int most, Duration keepFreed) {
        if (missing == Guard.PURGE_LOOKS_AGAIN) {
            List<Entry> due = memory.contents().entries().values().stream()
                    .filter(entry -> entry.pastRetention(memory.now())).toList();
            pause();
            due.forEach(picked -> tampering.remove(picked.id(), true));
        }
        return ledger.purge(most, missing == Guard.CORRECTION_SURVIVES ? Duration.ZERO : keepFreed);
    }

    @Override
    public Counts counts() {
        return ledger.counts();
    }

    @Override
    public Doubts doubts() {
        return ledger.doubts();
    }

    @Override
    public DoubtGroups doubtGroups() {
        return ledger.doubtGroups();
    }

    @Override
    public Health health() {
        return ledger.health();
    }
}

package dev.latchkey.gateway;

import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A ledger that lacks one guard, to see whether a test would notice.
final class BrokenLedger implements Ledger {

    private final Ledger ledger;
    private final Guard missing;
    private final Set<Long> released = new HashSet<>();

    /// What can be left out.
    enum Guard {
        /// Nothing: the ledger is right.
        NONE,
        /// G1: transitions compare the attempt.
        FENCED_BY_ATTEMPT,
        /// G4: *not executed* only on evidence later than the lease's end and the delay.
        SETTLE_DELAY,
        /// G5: a verdict settles only the attempt that it looked at.
        VERDICT_BOUND_TO_ATTEMPT,
        /// G6: nothing is sent once the window is shut.
        SEND_WINDOW,
        /// G9: a dead claim is released as often as it appears.
        RELEASED_UNTIL_GONE,
        /// The lease: nobody takes a claim over by age.
        NO_TAKEOVER_BY_AGE
    }

    BrokenLedger(Ledger ledger, Guard missing) {
        this.ledger = ledger;
        this.missing = missing;
    }

    @Override
    public Claimed claim(Claim claim) {
        Found found = ledger.find(claim.ask().id());
        if (missing == Guard.NO_TAKEOVER_BY_AGE && found != null && found.entry().state() == State.CLAIMED
                && found.entry().claimedAt().plusSeconds(10).isBefore(found.now())) {
            long seen = found.entry().attempt();
            ledger.settle(claim.ask().id(), seen, new Transition.Release(Cause.ABANDONED));
            return ledger.claim(new Claim(claim.ask(), claim.attempt(), new Grounds.NewGeneration(seen)));
        }
        return ledger.claim(claim);
    }

    @Override
    public Settled settle(EntryId id, long attempt, Transition transition) {
        Found found = ledger.find(id);
        long current = found == null ? attempt : found.entry().attempt();
        return switch (transition) {
            case Transition.NotExecuted it when missing == Guard.SETTLE_DELAY -> ledger.settle(
                    id, attempt, new Transition.NotExecuted(
                            it.asOf(), Duration.ofMinutes(-1), it.deduplicates(), it.timeout(), it.settler(),
                            it.reason()));
            case Transition.NotExecuted it when missing == Guard.VERDICT_BOUND_TO_ATTEMPT -> ledger.settle(
                    id, current, new Transition.NotExecuted(
                            it.asOf(), Duration.ofDays(-1), it.deduplicates(), it.timeout(), it.settler(),
                            it.reason()));
            case Transition.Release it when missing == Guard.RELEASED_UNTIL_GONE && it.cause().equals(Cause.ABANDONED)
                    && !released.add(attempt) -> new Settled.Lost(found);
            case Transition.Executed it -> ledger.settle(id, attempt, it);
            case Transition.NotExecuted it -> ledger.settle(id, attempt, it);
            default -> ledger.settle(id, missing == Guard.FENCED_BY_ATTEMPT ? current : attempt, transition);
        };
    }

    @Override
    public Settled erase(EntryId id, String reason, String by) {
        return ledger.erase(id, reason, by);
    }

    @Override
    public boolean confirm(EntryId id, long attempt, State state) {
        return ledger.confirm(id, attempt, state);
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
        return ledger.find(id);
    }

    @Override
    public List<Glance> glance(Collection<EntryId> ids) {
        return ledger.glance(ids);
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
        return ledger.sweep(most);
    }

    @Override
    public int purge(int most, Duration keepFreed) {
        return ledger.purge(most, keepFreed);
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

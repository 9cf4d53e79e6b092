package dev.latchkey.model;

import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The ledger's writes, as the production [Claim] and [Transition] say; without a guard, as if these had never had it.
final class ModelLedger {

    private final Model model;

    ModelLedger(Model model) {
        this.model = model;
    }

    /// The row after a call's claim; null: it loses.
    @Nullable
    Row claimed(World world, int call) {
        Caller caller = world.callers[call];
        Grounds grounds = switch (caller.grounds) {
            case 0 -> new Grounds.NoEntry();
            case 1 -> new Grounds.NewGeneration(caller.seen);
            default -> new Grounds.Reforward(caller.seen);
        };
        Row before = world.row;
        if (model.without(Guard.G14_CLAIM) && caller.sawExpired && before != null) {
            before = before.with(State.RECORDED, caller.seen).pastRetention();
        }
        Optional<Entry> after =
                new Claim(model.ask(call), call, grounds).applyTo(before == null ? null : before.entry(), Row.NOW);
        Row old = before == null ? Row.ABSENT : before;
        return after.map(entry -> Row.of(entry, caller.grounds == 1 ? old.withResponse(-1) : old)).orElse(null);
    }

    /// The row after a transition; null: it loses.
    ///
    /// @param response which attempt's response the transition carries; negative: none
    @Nullable
    Row settled(World world, int attempt, Transition transition, int response) {
        Row before = world.row;
        if (before == null) {
            return null;
        }
        boolean record = transition instanceof Transition.Record;
        boolean release = transition instanceof Transition.Release;
        if (model.without(Guard.G18) && record && before.is(State.RELEASED)) {
            return null;
        }
        if (model.without(Guard.G9_SWEPT) && release && before.is(State.IN_DOUBT)) {
            return null;
        }
        Row seen = before;
        if (model.without(Guard.G1_STATE) && transition instanceof Transition.Doubt) {
            seen = before.with(State.CLAIMED, before.attempt());
        }
        if (model.without(Guard.G2) && release) {
            seen = seen.asFirstForward();
        }
        boolean verdict = transition instanceof Transition.Executed || transition instanceof Transition.NotExecuted;
        boolean anybody = (model.without(Guard.G1_ATTEMPT) && !verdict)
                || (model.without(Guard.G5_ATTEMPT) && verdict);
        int by = anybody ? seen.attempt() : attempt;
        return transition.applyTo(seen.entry(), by, Row.NOW)
                .map(entry -> response < 0 ? Row.of(entry, before) : Row.of(entry, before.withResponse(response)))
                .map(this::weakened)
                .orElse(null);
    }

    private Row weakened(Row after) {
        if (model.without(Guard.G20) && after.is(State.RECORDED) && after.status() >= 400) {
            return after.withRejection(true);
        }
        if (model.without(Guard.G19) && after.is(State.RELEASED)) {
            return after.withCorrection(0);
        }
        return after;
    }

    /// The recorded row of an attempt whose row was gone (G18); null: there is one again.
    @Nullable
    Row putBack(World world, int call, Transition.Record transition) {
        if (world.row != null || model.without(Guard.G18)) {
            return null;
        }
        Caller caller = world.callers[call];
        Row claimed = Row.claimed(call, caller.again, model.body(call), caller.correction);
        return transition.applyTo(claimed.entry(), call, Row.NOW)
                .map(entry -> Row.of(entry, claimed.withResponse(call)))
                .orElseThrow();
    }

    /// Commits.
    ///
    /// @param why what is committed: a claim, an outcome, a look, a purge, an erasure
    /// @return what is wrong with it; null: nothing
    @Nullable
    String commit(World world, @Nullable Row after, Why why, boolean acknowledged) {
        Row old = world.row;
        if (model.scenario.failovers > 0) {
            world.before = old;
        }
        world.row = after;
        world.acknowledged = acknowledged;
        if (after == null || old == null || old.attempt() != after.attempt() || !after.is(State.IN_DOUBT)) {
            world.watched = false;
        }
        return old == null ? null : wrong(old, after, why);
    }

    /// Why something is written.
    enum Why {
        CLAIM, OUTCOME, LEASE_OVER, LOOK, PURGE, ERASURE
    }

    /// No stale attempt writes over a settled entry; nothing leaves doubt by time; no claim is taken over or deleted.
    private @Nullable String wrong(Row old, @Nullable Row after, Why why) {
        return switch (old.state()) {
            case RECORDED -> {
                boolean free = old.expired() || (old.rejection() && model.scenario.corrections);
                boolean right = switch (why) {
                    case CLAIM -> free;
                    case PURGE -> old.expired();
                    case ERASURE -> after != null && after.is(State.RECORDED);
                    case OUTCOME, LEASE_OVER, LOOK -> false;
                };
                yield right ? null : "a recorded entry is written over: " + old + " becomes " + text(after);
            }
            case CLAIMED -> {
                boolean right = after != null && ((why == Why.OUTCOME && after.attempt() == old.attempt())
                        || (why == Why.LEASE_OVER && after.is(State.IN_DOUBT) && old.age() != Row.Age.RUNNING));
                yield right ? null : "a claim is taken away: " + old + " becomes " + text(after);
            }
            case IN_DOUBT -> {
                boolean right = after != null && switch (why) {
                    case CLAIM -> after.again();
                    case OUTCOME -> after.attempt() == old.attempt();
                    case LOOK -> true;
                    case LEASE_OVER, PURGE, ERASURE -> false;
                };
                yield right ? null : "a doubt ends by nothing that could know: " + old + " becomes " + text(after);
            }
            case RELEASED -> why == Why.OUTCOME && (after == null || !after.is(State.RECORDED))
                    ? "a freed key is taken back by nothing that could know: " + old + " becomes " + text(after)
                    : null;
        };
    }

    private static String text(@Nullable Row row) {
        return row == null ? "nothing" : row.toString();
    }
}

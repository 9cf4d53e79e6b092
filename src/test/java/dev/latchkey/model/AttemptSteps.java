package dev.latchkey.model;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.model.Caller.At;
import dev.latchkey.model.Caller.Came;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Decision;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Protocol;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The steps of an attempt from its won claim on: checks, sends, hears, settles, tells.
final class AttemptSteps {

    private final Model model;
    private final ModelLedger ledger;
    private final Answers answers;
    private final CallSteps calls;

    AttemptSteps(Model model, ModelLedger ledger, Answers answers, CallSteps calls) {
        this.model = model;
        this.ledger = ledger;
        this.answers = answers;
        this.calls = calls;
    }

    void add(World world, int i) {
        switch (world.callers[i].at) {
            case WON -> check(world, i);
            case CHECKED -> send(world, i);
            case SENT -> hear(world, i);
            case SETTLE -> settle(world, i);
            case LOST -> afterLoss(world, i);
            case RECONFIRM -> reconfirm(world, i);
            case PUT_BACK -> putBack(world, i);
            default -> throw new IllegalStateException(world.callers[i].at.name());
        }
    }

    private void check(World world, int i) {
        if (world.callers[i].late) {
            came(world, i, Came.NOT_SENT,
                    () -> "check: the send window of " + model.me(i) + " is shut: nothing is sent");
            return;
        }
        World next = world.copy();
        next.callers[i].at = At.CHECKED;
        model.add(() -> "check: the send window of " + model.me(i) + " is open", i, next, null);
        came(world, i, Came.NOT_SENT, () -> "refused: " + model.me(i) + " sends nothing: connection refused");
    }

    private void send(World world, int i) {
        World next = world.copy();
        Caller caller = next.callers[i];
        caller.at = At.SENT;
        caller.late = false;
        next.messages[i] = World.Message.FLIGHT;
        String wrong = caller.told503
                ? "a call that was told 503 sends"
                : caller.correction < next.highest
                        ? "a downstream key comes back that a correction had replaced"
                        : null;
        next.highest = Math.max(next.highest, caller.correction);
        model.add(() -> "send: " + model.me(i) + " sends", i, next, wrong);
    }

    private void hear(World world, int i) {
        Came came = switch (world.messages[i]) {
            case OK -> Came.OK;
            case REJECTED -> Came.REJECTED;
            case TOO_MANY -> Came.TOO_MANY;
            case FAILED -> Came.FAILED;
            case COPY -> Came.COPY;
            case NONE, FLIGHT, LOST -> Came.NOTHING_YET;
        };
        if (came != Came.NOTHING_YET) {
            came(world, i, came, () -> "hear: " + model.me(i) + " is answered " + came.status());
        }
        came(world, i, Came.TIMED_OUT,
                () -> "time out: " + model.me(i) + " hears nothing in time and resets its connection");
        if (!world.callers[i].answered) {
            World next = world.copy();
            String wrong = answers.refused(next, i, Protocol.timedOut(claimed(world, i)));
            model.add(() -> "time up: the caller of " + model.me(i) + " is told 504, the attempt goes on", i, next,
                    wrong);
        }
    }

    private void came(World world, int i, Came came, Supplier<String> what) {
        World next = world.copy();
        next.callers[i].came = came;
        next.callers[i].at = At.SETTLE;
        model.add(what, i, next, null);
    }

    private Entry claimed(World world, int i) {
        Caller caller = world.callers[i];
        return Row.claimed(i, caller.again, model.body(i), caller.correction).entry();
    }

    private static Outcome outcome(int i, Came came) {
        return switch (came) {
            case NOT_SENT -> new Outcome.NotSent("refused");
            case TIMED_OUT, NOTHING_YET -> new Outcome.Unknown(Cause.TIMEOUT);
            case OK, REJECTED, TOO_MANY, FAILED, COPY ->
                    new Outcome.Answered(came.status(), Headers.empty(), Body.ofUtf8("response " + i), true);
        };
    }

    private Transition transition(World world, int i) {
        Entry entry = claimed(world, i);
        Came came = world.callers[i].came;
        boolean asFirst = (model.without(Guard.G2) && (came == Came.NOT_SENT || came == Came.TOO_MANY))
                || (model.without(Guard.G3) && (came == Came.REJECTED || came == Came.COPY));
        if (asFirst) {
            entry = Row.claimed(i, false, model.body(i), 0).entry();
        }
        return Protocol.onOutcome(entry, model.route, outcome(i, came), Set.of());
    }

    private void settle(World world, int i) {
        Transition transition = transition(world, i);
        Row after = ledger.settled(world, i, transition, transition instanceof Transition.Record ? i : -1);
        if (after == null) {
            World next = world.copy();
            if (model.without(Guard.G16)) {
                String wrong = fromItsOwn(next, i);
                model.add(() -> "settle: " + model.me(i) + " loses and answers from its own outcome", i, next, wrong);
                return;
            }
            next.callers[i].at = At.LOST;
            model.add(() -> "settle: " + model.me(i) + " loses", i, next, null);
            return;
        }
        World next = world.copy();
        String wrong = ledger.commit(next, after, ModelLedger.Why.OUTCOME, true);
        String told = told(next, i, after);
        model.add(() -> "settle: " + model.me(i) + " settles: " + after, i, next, wrong == null ? told : wrong);
        if (world.lostAcks > 0) {
            World unknown = world.copy();
            unknown.lostAcks--;
            ledger.commit(unknown, after, ModelLedger.Why.OUTCOME, false);
            model.add(() -> "settle, unacknowledged: " + model.me(i) + " settles and does not hear of it: " + after, i,
                    unknown,
                    wrong);
        }
    }

    private @Nullable String fromItsOwn(World world, int i) {
        Caller caller = world.callers[i];
        String wrong = caller.came.answered()
                ? answers.passing(world, i, caller.came.status(), true)
                : answers.refused(world, i,
                        Protocol.withoutResponse(claimed(world, i), model.route, outcome(i, caller.came), Row.NOW));
        return over(world, i, wrong, world.row);
    }

    /// What the caller is told once the transition is committed.
    private @Nullable String told(World world, int i, Row now) {
        Caller caller = world.callers[i];
        Came came = caller.came;
        if (!came.answered()) {
            Refusal refusal = Protocol.withoutResponse(now.entry(), model.route, outcome(i, came), Row.NOW);
            String wrong = answers.refused(world, i, refusal);
            return now.is(State.RELEASED) && came == Came.NOT_SENT
                    ? ended(world, i, wrong, calls.endLocal(world, i, now, true, refusal))
                    : over(world, i, wrong, now);
        }
        if (!now.is(State.RECORDED)) {
            String wrong = answers.passing(world, i, came.status(), true);
            return now.is(State.RELEASED)
                    ? ended(world, i, wrong, calls.endLocalPassing(world, i, came))
                    : over(world, i, wrong, now);
        }
        String wrong = answers.recorded(world, i, came.status(), i);
        learn(world, i, now);
        return over(world, i, wrong, now);
    }

    private void learn(World world, int i, Row now) {
        boolean kept = now.cacheable() || (model.keepsRejections() && now.is(State.RECORDED));
        if (model.scenario.caches && kept) {
            world.cache[model.replica(i)] = Answers.code(now.status(), now.response()) * 2 + now.body();
        }
    }

    private @Nullable String over(World world, int i, @Nullable String wrong, @Nullable Row now) {
        return ended(world, i, wrong, calls.endLocal(world, i, now, true, null));
    }

    private @Nullable String ended(World world, int i, @Nullable String wrong, @Nullable String others) {
        Row row = world.row;
        boolean free = row == null || (row.is(State.RELEASED) && row.attempt() == i);
        if (free && world.callers[i].came == Came.OK) {
            return "a genuine success was heard, and the key is free";
        }
        calls.end(world, i);
        return wrong == null ? others : wrong;
    }

    private static State stateAfter(Transition transition) {
        return switch (transition) {
            case Transition.Record _,Transition.Executed _ -> State.RECORDED;
            case Transition.Release _,Transition.NotExecuted _ -> State.RELEASED;
            case Transition.Doubt _,Transition.LeaseOver _ -> State.IN_DOUBT;
            case Transition.Result _,Transition.Renew _ ->
                    throw new IllegalStateException("no attempt of a forward does this");
        };
    }

    private void afterLoss(World world, int i) {
        World next = world.copy();
        Row row = next.row;
        Transition transition = transition(world, i);
        if (ledger.settled(next, i, transition, -1) != null) {
            next.callers[i].at = At.SETTLE;
            model.add(() -> "look: " + model.me(i) + " reads that it can settle after all", i, next, null);
        } else if (row != null && row.attempt() == i && row.state() == stateAfter(transition)) {
            next.callers[i].at = At.RECONFIRM;
            model.add(() -> "look: " + model.me(i) + " reads its own transition, committed before", i, next, null);
        } else if (row == null && transition instanceof Transition.Record record && record.succeeded()) {
            next.callers[i].at = At.PUT_BACK;
            model.add(() -> "look: " + model.me(i) + " reads that its row is gone", i, next, null);
        } else {
            String wrong = lost(next, i, row);
            model.add(() -> "look: " + model.me(i) + " has lost and reads " + row, i, next, wrong);
        }
    }

    private void reconfirm(World world, int i) {
        World next = world.copy();
        Row row = next.row;
        if (row == null || row.attempt() != i || row.state() != stateAfter(transition(world, i))) {
            next.callers[i].at = At.SETTLE;
            model.add(() -> "confirm: " + model.me(i) + " cannot: it has moved on", i, next, null);
            return;
        }
        next.acknowledged = true;
        String wrong = told(next, i, row);
        model.add(() -> "confirm: " + model.me(i) + " writes that it is settled so: " + row, i, next, wrong);
    }

    private void putBack(World world, int i) {
        World next = world.copy();
        Row after = transition(world, i) instanceof Transition.Record record ? ledger.putBack(next, i, record) : null;
        if (after == null) {
            String wrong = lost(next, i, null);
            model.add(() -> "put back: " + model.me(i) + " cannot: the key has an entry again", i, next, wrong);
            return;
        }
        String wrong = ledger.commit(next, after, ModelLedger.Why.OUTCOME, true);
        String told = told(next, i, after);
        model.add(() -> "put back: " + model.me(i) + " puts its row back: " + after, i, next,
                wrong == null ? told : wrong);
    }

    /// An attempt that lost answers from what the ledger holds (G16).
    private @Nullable String lost(World world, int i, @Nullable Row row) {
        Came came = world.callers[i].came;
        if (row != null) {
            switch (Protocol.onCall(row.found(), model.ask(i), true)) {
                case Decision.Replay _ -> {
                    return over(world, i, answers.recorded(world, i, row.status(), row.response()), row);
                }
                case Decision.Refuse refuse when !came.answered() || row.is(State.RECORDED) -> {
                    return over(world, i, answers.refused(world, i, refuse.refusal()), row);
                }
                case Decision.Refuse _,Decision.Forward _,Decision.Wait _,Decision.Sweep _ -> {
                    // Its own outcome is told below.
                }
            }
        }
        String wrong;
        if (came.answered()) {
            wrong = answers.passing(world, i, came.status(), true);
        } else {
            Entry known = row == null ? claimed(world, i) : row.entry();
            wrong = answers.refused(
                    world, i, Protocol.withoutResponse(known, model.route, outcome(i, came), Row.NOW));
        }
        return over(world, i, wrong, row);
    }
}

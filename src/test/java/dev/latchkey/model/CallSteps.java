package dev.latchkey.model;

import dev.latchkey.http.Problem;
import dev.latchkey.model.Caller.At;
import dev.latchkey.model.Caller.Came;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Decision;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.Protocol;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The steps of a call until its claim is won, as the gateway's call makes them: it looks, asks the protocol, acts, and looks
/// again.
final class CallSteps {

    private final Model model;
    private final ModelLedger ledger;
    private final Answers answers;
    private final AttemptSteps attempts;

    CallSteps(Model model) {
        this.model = model;
        this.ledger = new ModelLedger(model);
        this.answers = new Answers(model);
        this.attempts = new AttemptSteps(model, ledger, answers, this);
    }

    void add(World world, int i) {
        switch (world.callers[i].at) {
            case NOT_YET -> arrive(world, i);
            case CLAIM -> claim(world, i);
            case LOOK -> look(world, i);
            case WATCH -> {
                watch(world, i);
                spendWait(world, i);
            }
            case ATTACHED -> spendWait(world, i);
            case SWEEP -> sweep(world, i);
            case LEARN -> learn(world, i);
            case UNKNOWN -> findOut(world, i);
            case CONFIRMED -> confirmed(world, i);
            case ABANDONED -> abandon(world, i);
            case WON, CHECKED, SENT, SETTLE, LOST, RECONFIRM, PUT_BACK -> attempts.add(world, i);
            case DONE, DEAD -> {
                // Nothing more.
            }
        }
    }

    private void arrive(World world, int i) {
        int kept = world.cache[model.replica(i)];
        if (kept >= 0 && kept % 2 == model.body(i)) {
            World next = arrived(world, i);
            int code = kept / 2;
            String wrong = answers.recorded(next, i, code % 1000, code / 1000);
            end(next, i);
            model.add(() -> "arrives: " + model.me(i) + " is replayed from memory", i, next, wrong);
            // What is kept is a minute old: the ledger is looked at.
            World looks = arrived(world, i);
            turn(() -> "arrives: " + model.me(i) + " finds it in memory and looks again", looks, i, looks.row, null);
            return;
        }
        if (kept >= 0 && model.without(Guard.G10_MISMATCH)) {
            World next = arrived(world, i);
            Row row = world.row;
            boolean same = row != null && row.is(State.RECORDED) && row.body() == model.body(i);
            next.callers[i].answered = true;
            end(next, i);
            model.add(() -> "arrives: " + model.me(i) + " is told 422 from memory", i, next,
                    same ? "422 for the very request that is recorded" : null);
            return;
        }
        World next = arrived(world, i);
        begin(next, i, 0, 0, false);
        model.add(() -> "arrives: " + model.me(i), i, next, null);
    }

    private static World arrived(World world, int i) {
        World next = world.copy();
        next.callers[i].era = world.era;
        return next;
    }

    /// Makes an attempt known on its replica, or attaches to the equal one that is.
    private void begin(World world, int i, int grounds, int seen, boolean sawExpired) {
        Caller caller = world.callers[i];
        int replica = model.replica(i);
        int other = world.attached[replica];
        boolean equal = other >= 0 && (model.body(other) == model.body(i) || model.without(Guard.G11));
        if (other >= 0 && other != i && equal && !caller.alone) {
            caller.at = At.ATTACHED;
            caller.seen = other;
            return;
        }
        if (other < 0 && !caller.alone) {
            world.attached[replica] = i;
        }
        caller.at = At.CLAIM;
        caller.grounds = grounds;
        caller.seen = seen;
        caller.sawExpired = sawExpired;
    }

    private void claim(World world, int i) {
        if (world.callers[i].open) {
            return;
        }
        Row after = ledger.claimed(world, i);
        if (after == null) {
            World next = world.copy();
            next.callers[i].at = At.LOOK;
            if (model.without(Guard.G21) && next.callers[i].grounds == 1 && next.row != null) {
                next.row = next.row.withResponse(-1);
            }
            model.add(() -> "claim: " + model.me(i) + " loses its claim", i, next, null);
            return;
        }
        World won = world.copy();
        String wrong = win(won, i, after, true);
        won.callers[i].at = At.WON;
        model.add(() -> "claim: " + model.me(i) + " wins: " + after, i, won, wrong);
        if (world.lostAcks > 0) {
            World unknown = world.copy();
            unknown.lostAcks--;
            win(unknown, i, after, false);
            unknown.callers[i].at = At.UNKNOWN;
            model.add(() -> "claim, unacknowledged: " + model.me(i) + " wins and does not hear of it", i, unknown,
                    wrong);
            if (world.row == null) {
                World open = world.copy();
                open.lostAcks--;
                open.callers[i].at = At.UNKNOWN;
                open.callers[i].open = true;
                model.add(() -> "claim, open: the connection of " + model.me(i) + " is lost, its transaction is open",
                        i, open,
                        null);
            }
        }
    }

    /// The claim is in the ledger.
    @Nullable
    String win(World world, int i, Row after, boolean acknowledged) {
        Row old = world.row;
        Caller caller = world.callers[i];
        if (old != null && old.is(State.RECORDED) && !old.expired()) {
            world.newEra();
        }
        caller.era = world.era;
        caller.again = after.again();
        caller.correction = Math.min(after.correction(), World.CORRECTIONS - 1);
        caller.tight = after.again() && after.window() != Row.Window.OPEN;
        return ledger.commit(world, after.withCorrection(caller.correction), ModelLedger.Why.CLAIM, acknowledged);
    }

    /// Its claim lost: it reads what the ledger holds, and so do those attached to it.
    private void look(World world, int i) {
        World next = world.copy();
        Row row = next.row;
        String wrong = endLocal(next, i, row, false, null);
        turn(() -> "look: " + model.me(i) + " reads " + (row == null ? "that it is gone" : row), next, i, row, wrong);
    }

    private void watch(World world, int i) {
        Row row = world.row;
        Caller caller = world.callers[i];
        boolean over = row == null || row.attempt() != caller.seen || !row.is(State.CLAIMED)
                || row.age() != Row.Age.RUNNING;
        if (over) {
            World next = world.copy();
            next.callers[i].waited = waited(row);
            turn(() -> "watch: " + model.me(i) + " sees the attempt over, and " + row, next, i, row, null);
        }
    }

    private static boolean waited(@Nullable Row row) {
        return row != null && (row.is(State.IN_DOUBT) || row.entry().leaseOver(Row.NOW));
    }

    private void spendWait(World world, int i) {
        World next = world.copy();
        Caller caller = next.callers[i];
        caller.alone = true;
        Row row = next.row;
        if (row != null && Protocol.onCall(row.found(), model.ask(i), true) instanceof Decision.Wait) {
            String wrong = answers.refused(next, i, Protocol.waitSpent(row.entry(), Row.NOW));
            end(next, i);
            model.add(() -> "spent: the wait of " + model.me(i) + " is over: in progress", i, next, wrong);
            return;
        }
        caller.waited = waited(row);
        turn(() -> "spent: the wait of " + model.me(i) + " is over, it reads " + row, next, i, row, null);
    }

    private void sweep(World world, int i) {
        World next = world.copy();
        Row after = ledger.settled(next, next.callers[i].seen, new Transition.LeaseOver(), -1);
        String wrong = after == null ? null : ledger.commit(next, after, ModelLedger.Why.LEASE_OVER, true);
        turn(() -> "sweep: " + model.me(i) + " puts an expired claim in doubt", next, i, next.row, wrong);
    }

    private void learn(World world, int i) {
        World next = world.copy();
        Caller caller = next.callers[i];
        next.cache[model.replica(i)] = caller.learning;
        int code = caller.learning / 2;
        String wrong = answers.recorded(next, i, code % 1000, code / 1000);
        end(next, i);
        model.add(() -> "learn: " + model.me(i) + " keeps it in memory and replays it", i, next, wrong);
    }

    private void findOut(World world, int i) {
        Row row = world.row;
        boolean own = row != null && row.attempt() == i;
        boolean mine = row != null && own && row.is(State.CLAIMED);
        if ((model.without(Guard.G7_READ) && mine) || (model.without(Guard.G7_STATE) && own)) {
            World next = world.copy();
            next.callers[i].at = At.WON;
            model.add(() -> "confirm: " + model.me(i) + " reads its own attempt: a win", i, next, null);
        } else if (mine) {
            World next = world.copy();
            next.acknowledged = true;
            next.callers[i].at = At.CONFIRMED;
            model.add(() -> "confirm: " + model.me(i) + " writes that it is claimed by it", i, next, null);
        } else {
            giveUp(world, i, () -> "confirm: " + model.me(i) + " cannot: not its own");
        }
        giveUp(world, i, () -> "give up: " + model.me(i) + " cannot find out in time");
    }

    private void giveUp(World world, int i, Supplier<String> what) {
        World next = world.copy();
        Caller caller = next.callers[i];
        if (caller.told503) {
            return;
        }
        answers.silent(next, i);
        caller.told503 = true;
        String wrong = endLocal(next, i, null, false, Refusal.of(Problem.LEDGER_UNAVAILABLE, "the ledger is away"));
        if (!model.without(Guard.G8)) {
            caller.at = At.ABANDONED;
        }
        model.add(() -> what.get() + ", is told 503", i, next, wrong);
    }

    private void confirmed(World world, int i) {
        Row row = world.row;
        if (row != null && row.attempt() == i && row.is(State.CLAIMED)) {
            World next = world.copy();
            next.callers[i].at = At.WON;
            model.add(() -> "confirmed: " + model.me(i) + " reads its claim: a win", i, next, null);
        } else {
            giveUp(world, i, () -> "confirmed: " + model.me(i) + " reads that it has moved on");
        }
    }

    private void abandon(World world, int i) {
        World next = world.copy();
        Caller caller = next.callers[i];
        Transition transition = caller.grounds == 2
                ? Transition.Doubt.of(Cause.NOT_SENT)
                : new Transition.Release(Cause.ABANDONED);
        Row after = ledger.settled(next, i, transition, -1);
        if (after != null) {
            String wrong = ledger.commit(next, after, ModelLedger.Why.OUTCOME, true);
            end(next, i);
            model.add(() -> "abandon: the dead claim of " + model.me(i) + " is given back", i, next, wrong);
        } else if (!caller.open || model.without(Guard.G9_ONCE)) {
            end(next, i);
            model.add(() -> "abandon: the dead claim of " + model.me(i) + " is not there", i, next, null);
        }
    }

    /// Decides on what was read, and acts.
    void turn(Supplier<String> what, World world, int i, @Nullable Row row, @Nullable String before) {
        String wrong = turn(world, i, row);
        model.add(what, i, world, before == null ? wrong : before);
    }

    private @Nullable String turn(World world, int i, @Nullable Row row) {
        Caller caller = world.callers[i];
        if (row == null) {
            begin(world, i, 0, 0, false);
            return null;
        }
        Found found = row.found();
        boolean waited = caller.waited && !model.without(Guard.G11_WAITED);
        return switch (Protocol.onCall(found, model.ask(i), waited)) {
            case Decision.Forward forward -> {
                switch (forward.grounds()) {
                    case Grounds.NoEntry _ -> begin(world, i, 0, 0, false);
                    case Grounds.NewGeneration next -> begin(world, i, 1, (int) next.seen(), row.expired());
                    case Grounds.Reforward again -> begin(world, i, 2, (int) again.seen(), false);
                }
                yield caller.grounds == 2 && caller.waited ? "a call that waited through a doubt forwards" : null;
            }
            case Decision.Replay _ -> {
                boolean kept = row.cacheable() || model.keepsRejections();
                if (model.scenario.caches && kept) {
                    caller.at = At.LEARN;
                    caller.learning = Answers.code(row.status(), row.response()) * 2 + row.body();
                    yield null;
                }
                String wrong = answers.recorded(world, i, row.status(), row.response());
                end(world, i);
                yield wrong;
            }
            case Decision.Refuse refuse -> {
                String wrong = answers.refused(world, i, refuse.refusal());
                end(world, i);
                yield wrong;
            }
            case Decision.Wait wait -> {
                int other = (int) wait.attempt();
                caller.seen = other;
                caller.at = model.replica(other) == model.replica(i) && world.callers[other].local()
                        ? At.ATTACHED
                        : At.WATCH;
                yield null;
            }
            case Decision.Sweep sweep -> {
                caller.at = At.SWEEP;
                caller.seen = (int) sweep.attempt();
                yield null;
            }
        };
    }

    /// A call's attempt is over for those attached to it: they are told what its caller was told, or see what it saw.
    ///
    /// @param over whether the attempt was made
    /// @param told null: they look for themselves
    @Nullable
    String endLocal(World world, int i, @Nullable Row row, boolean over, @Nullable Refusal told) {
        int replica = model.replica(i);
        if (world.attached[replica] == i) {
            world.attached[replica] = -1;
        }
        String wrong = null;
        for (int k = 0; k < world.callers.length; k++) {
            Caller other = world.callers[k];
            if (other.at != At.ATTACHED || other.seen != i) {
                continue;
            }
            String one;
            if (told != null) {
                one = answers.refused(world, k, told);
                end(world, k);
            } else if (model.without(Guard.G11) && over && row != null && row.is(State.RECORDED)) {
                one = row.body() == model.body(k) ? null : "a call with one body is given the response to another";
                end(world, k);
                other.answered = true;
            } else {
                other.waited = over && waited(row);
                one = turn(world, k, row);
            }
            wrong = wrong == null ? one : wrong;
        }
        return wrong;
    }

    /// The same for those attached, where the attempt's caller was given a response that is not recorded.
    @Nullable
    String endLocalPassing(World world, int i, Came came) {
        int replica = model.replica(i);
        if (world.attached[replica] == i) {
            world.attached[replica] = -1;
        }
        String wrong = null;
        for (int k = 0; k < world.callers.length; k++) {
            if (world.callers[k].at == At.ATTACHED && world.callers[k].seen == i) {
                String one = answers.passing(world, k, came.status(), true);
                end(world, k);
                wrong = wrong == null ? one : wrong;
            }
        }
        return wrong;
    }

    void end(World world, int i) {
        world.callers[i].end(At.DONE, world.messages[i] == World.Message.FLIGHT);
    }
}

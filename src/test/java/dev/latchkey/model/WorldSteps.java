package dev.latchkey.model;

import dev.latchkey.http.Headers;
import dev.latchkey.model.Caller.At;
import dev.latchkey.model.World.Evidence;
import dev.latchkey.model.World.Message;
import dev.latchkey.protocol.Protocol;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.protocol.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What happens around the calls: the downstream acts, time passes, replicas die, upkeep runs, people look and judge.
final class WorldSteps {

    private final Model model;
    private final ModelLedger ledger;

    WorldSteps(Model model) {
        this.model = model;
        this.ledger = new ModelLedger(model);
    }

    void add(World world) {
        for (int i = 0; i < world.callers.length; i++) {
            transaction(world, i);
            stall(world, i);
            downstream(world, i);
        }
        time(world);
        upkeep(world);
        look(world);
        settle(world);
        crash(world);
        memory(world);
        erase(world);
        failOver(world);
    }

    private void transaction(World world, int i) {
        if (!world.callers[i].open) {
            return;
        }
        if (world.row == null) {
            World next = world.copy();
            next.callers[i].open = false;
            Row after = ledger.claimed(next, i);
            if (after != null) {
                String wrong = ledger.commit(next, after, ModelLedger.Why.CLAIM, false);
                model.add(() -> "commits late: the open transaction of " + model.me(i), i, next, wrong);
            }
        }
        World next = world.copy();
        next.callers[i].open = false;
        model.add(() -> "rolls back: the open transaction of " + model.me(i), i, next, null);
    }

    private void stall(World world, int i) {
        Caller caller = world.callers[i];
        boolean watching = caller.at == At.UNKNOWN || caller.at == At.CONFIRMED || caller.at == At.WON;
        if (watching && !caller.late && model.windowFromStart()) {
            World next = world.copy();
            next.callers[i].late = true;
            model.add(() -> "stalls: " + model.me(i) + " past its send window", i, next, null);
        }
    }

    private void downstream(World world, int i) {
        if (world.messages[i] != Message.FLIGHT) {
            return;
        }
        boolean copy = model.scenario.deduplicates && world.remembers[world.callers[i].correction];
        if (copy) {
            deliver(world, i, Message.OK, false, "recognises a copy, answers 201 again");
            deliver(world, i, Message.TOO_MANY, false, "answers 429");
            if (model.scenario.answersCopies) {
                deliver(world, i, Message.COPY, false, "recognises a copy, answers 409");
            }
        } else {
            deliver(world, i, Message.OK, true, "acts, answers 201");
            deliver(world, i, Message.REJECTED, false, "refuses, answers 422");
            deliver(world, i, Message.TOO_MANY, false, "answers 429");
            deliver(world, i, Message.FAILED, true, "acts, answers 500");
            deliver(world, i, Message.FAILED, false, "answers 500");
        }
        deliver(world, i, Message.LOST, false, "never gets the request");
    }

    private void deliver(World world, int i, Message answer, boolean effect, String what) {
        World next = world.copy();
        Caller caller = next.callers[i];
        next.messages[i] = answer;
        String wrong = null;
        if (effect) {
            next.effects = Math.min(2, world.effects + 1);
            int told = world.told[model.body(i)];
            if (world.effects > 0) {
                wrong = "a second effect";
            } else if (told >= 0 && told % 1000 >= 400 && told / 1000 != i) {
                wrong = "an effect of a request that was told " + told % 1000 + " as recorded";
            }
            if (model.scenario.deduplicates) {
                next.remembers[caller.correction] = true;
            }
        }
        if (caller.over()) {
            caller.forwardIsOver();
        }
        model.add(() -> "downstream: for " + model.me(i) + " it " + what, i, next, wrong);
    }

    private void time(World world) {
        Row row = world.row;
        if (row == null) {
            return;
        }
        if (row.is(State.CLAIMED) || row.is(State.IN_DOUBT)) {
            leaseTime(world, row);
        }
        boolean expires = row.rejection() ? model.scenario.rejectionsExpire : model.scenario.allExpires;
        if (row.is(State.RECORDED) && !row.expired() && expires && quiet(world)) {
            World next = world.copy();
            next.row = row.pastRetention();
            next.newEra();
            next.effects = 0;
            if (!model.without(Guard.G17)) {
                next.cache[0] = -1;
                next.cache[1] = -1;
            }
            model.add(() -> "time: what is recorded passes its retention", -1, next, null);
        }
        windowTime(world, row);
    }

    /// Nothing is under way that hours would not have ended.
    private static boolean quiet(World world) {
        for (Caller caller : world.callers) {
            if (caller.at == At.CHECKED || caller.at == At.LEARN) {
                return false;
            }
        }
        return !world.flights();
    }

    private void leaseTime(World world, Row row) {
        if (row.age() == Row.Age.RUNNING) {
            World next = world.copy();
            next.row = row.aged(Row.Age.OVER);
            if (row.attempt() < next.callers.length) {
                // The lease is longer than the send window, and began later.
                Caller owner = next.callers[row.attempt()];
                boolean acknowledged = owner.at == At.WON;
                if (model.windowFromStart() || acknowledged) {
                    owner.late = owner.at == At.UNKNOWN || owner.at == At.CONFIRMED || owner.at == At.WON;
                }
            }
            model.add(() -> "time: the lease of " + Rules.name(row.attempt()) + " is over", -1, next, null);
        } else if (row.age() == Row.Age.OVER) {
            boolean underWay = world.checked() || world.flights();
            boolean bound = !model.scenario.unbounded && !(model.without(Guard.G22) && !world.checked());
            if (!underWay || !bound) {
                World next = world.copy();
                next.row = row.aged(Row.Age.SETTLED);
                next.watched = true;
                model.add(() -> "time: the settle delay is over", -1, next, null);
            }
            if (world.jumps > 0) {
                World next = world.copy();
                next.jumps--;
                next.row = row.aged(Row.Age.SETTLED);
                model.add(() -> "time: the ledger's clock jumps past the settle delay", -1, next, null);
            }
        }
    }

    private void windowTime(World world, Row row) {
        if (!model.scenario.deduplicates) {
            return;
        }
        if (row.window() == Row.Window.OPEN) {
            World next = world.copy();
            next.row = row.windowed(Row.Window.CLOSING);
            model.add(() -> "time: the downstream's window is about to close", -1, next, null);
        } else if (row.window() == Row.Window.CLOSING && !model.scenario.unbounded && !forwardUnderWay(world)) {
            World next = world.copy();
            next.row = row.windowed(Row.Window.CLOSED);
            Arrays.fill(next.remembers, false);
            model.add(() -> "time: the window is closed, the downstream forgets", -1, next, null);
        }
    }

    /// A forward takes no longer than its time-out, so what was sent while enough was left arrives inside the window.
    private static boolean forwardUnderWay(World world) {
        for (int i = 0; i < world.callers.length; i++) {
            Caller caller = world.callers[i];
            boolean sent = caller.at == At.CHECKED || world.messages[i] == Message.FLIGHT;
            boolean reforwards = caller.again && !caller.over() && caller.at != At.NOT_YET;
            if (!caller.tight && (sent || reforwards)) {
                return true;
            }
        }
        return false;
    }

    private void upkeep(World world) {
        Row row = world.row;
        if (row != null && row.entry().leaseOver(Row.NOW) && !model.without(Guard.G14_SWEEP)) {
            World next = world.copy();
            Row after = ledger.settled(next, row.attempt(), new Transition.LeaseOver(), -1);
            String wrong = after == null ? null : ledger.commit(next, after, ModelLedger.Why.LEASE_OVER, true);
            model.add(() -> "sweeper: puts the expired claim in doubt", -1, next, wrong);
        }
        if (model.without(Guard.G14_SWEEP)) {
            sweepInTwo(world, row);
        }
        boolean old = row != null && row.is(State.RECORDED) && row.expired();
        if (old && world.purges > 0 && !model.without(Guard.G14_PURGE)) {
            World next = world.copy();
            next.purges--;
            model.add(() -> "purger: deletes what is past its retention", -1, next, purge(next));
        }
        if (model.without(Guard.G14_PURGE)) {
            purgeInTwo(world, old);
        }
    }

    private void sweepInTwo(World world, @Nullable Row row) {
        if (!world.sweepPicked && row != null && row.entry().leaseOver(Row.NOW)) {
            World next = world.copy();
            next.sweepPicked = true;
            model.add(() -> "sweeper: picks the expired claim", -1, next, null);
        } else if (world.sweepPicked) {
            World next = world.copy();
            next.sweepPicked = false;
            String wrong = row == null
                    ? null
                    : ledger.commit(next, row.with(State.IN_DOUBT, row.attempt()), ModelLedger.Why.LEASE_OVER, true);
            model.add(() -> "sweeper: puts what it picked in doubt", -1, next, wrong);
        }
    }

    private void purgeInTwo(World world, boolean old) {
        if (!world.purgePicked && old && world.purges > 0) {
            World next = world.copy();
            next.purges--;
            next.purgePicked = true;
            model.add(() -> "purger: picks what is past its retention", -1, next, null);
        } else if (world.purgePicked) {
            World next = world.copy();
            next.purgePicked = false;
            model.add(() -> "purger: deletes what it picked", -1, next, purge(next));
        }
    }

    private @Nullable String purge(World next) {
        String wrong = ledger.commit(next, null, ModelLedger.Why.PURGE, true);
        next.newEra();
        next.effects = 0;
        next.highest = 0;
        return wrong;
    }

    /// A lookup asks, or an operator looks, and keeps what was seen for a while.
    private void look(World world) {
        Row row = world.row;
        if (row == null || !row.is(State.IN_DOUBT) || row.age() == Row.Age.RUNNING) {
            return;
        }
        Evidence seen = new Evidence(row.attempt(), world.effects > 0, row.age() == Row.Age.OVER);
        String what = seen.happened() ? "that it happened" : "nothing";
        if (world.lookup == null && world.lookups > 0) {
            World next = world.copy();
            next.lookups--;
            next.lookup = seen;
            model.add(() -> "lookup: the downstream is asked and says " + what, -1, next, null);
        }
        if (world.operator == null && world.verdicts > 0) {
            World next = world.copy();
            next.verdicts--;
            next.operator = seen;
            model.add(() -> "operator: looks at the downstream and sees " + what, -1, next, null);
        }
    }

    private void settle(World world) {
        Evidence lookup = world.lookup;
        if (lookup != null) {
            World next = world.copy();
            next.lookup = null;
            byLookup(world, next, lookup);
        }
        Evidence operator = world.operator;
        if (operator != null) {
            World next = world.copy();
            next.operator = null;
            byVerdict(next, operator);
        }
    }

    private void byLookup(World world, World next, Evidence seen) {
        Transition transition;
        if (seen.happened()) {
            int own = model.without(Guard.G5_OWN) ? seen.attempt() : Rules.LOOKUP;
            transition = new Transition.Executed(
                    own, 201, Headers.empty(), null, "lookup", "seen", Retention.usual());
        } else if (world.watched || model.without(Guard.G5_WATCH) || model.without(Guard.G4)) {
            transition = new Transition.NotExecuted(
                    asOf(world.row, seen), delay(), model.route.deduplicates(), model.route.timeout(), "lookup",
                    "not seen");
        } else {
            model.add(() -> "lookup: is not believed yet", -1, next, null);
            return;
        }
        apply(next, seen.attempt(), transition, Rules.LOOKUP);
    }

    private Duration delay() {
        return model.without(Guard.G4) ? Duration.ZERO : Rules.SETTLE_DELAY;
    }

    private void byVerdict(World next, Evidence seen) {
        Row row = next.row;
        if (row == null) {
            model.add(() -> "operator: finds the entry gone", -1, next, null);
            return;
        }
        Instant here = next.watched || model.without(Guard.G5_WATCH) || model.without(Guard.G4)
                ? Row.NOW
                : row.leaseUntil();
        Verdict verdict = seen.happened()
                ? new Verdict.Executed(201, Headers.empty(), null, "seen", "ann")
                : new Verdict.NotExecuted(asOf(row, seen), "not seen", "ann");
        long own = model.without(Guard.G5_OWN) ? row.attempt() : Rules.VERDICT;
        switch (Protocol.onVerdict(row.found(), verdict, own, model.route, delay(), here)) {
            case Verdict.Ruling.Settle it -> apply(next, (int) it.attempt(), it.transition(), Rules.VERDICT);
            case Verdict.Ruling.Refuse it ->
                    model.add(() -> "operator: is refused: " + it.refusal().problem().slug(), -1, next, null);
        }
    }

    /// When the look began, by the ledger's clock: a newer attempt's lease ends later than that.
    private Instant asOf(@Nullable Row row, Evidence seen) {
        if (row == null || row.attempt() != seen.attempt()) {
            return row == null || model.without(Guard.G5_ATTEMPT) ? Row.NOW : row.leaseUntil().minusSeconds(1);
        }
        boolean before = seen.early() && row.age() == Row.Age.SETTLED;
        return before ? Row.NOW.minus(Rules.SETTLE_DELAY) : Row.NOW;
    }

    private void apply(World next, int attempt, Transition transition, int settler) {
        Row after = ledger.settled(
                next, attempt, transition, transition instanceof Transition.Executed ? settler : -1);
        String who = Rules.name(settler);
        if (after == null) {
            model.add(() -> who + ": is not what was looked at any more, or too early", -1, next, null);
            return;
        }
        String wrong = ledger.commit(next, after, ModelLedger.Why.LOOK, true);
        model.add(() -> who + ": settles: " + after, -1, next, wrong);
    }

    private void crash(World world) {
        if (world.crashes == 0) {
            return;
        }
        for (int replica = 0; replica < 2; replica++) {
            int name = replica + 1;
            World next = world.copy();
            boolean any = false;
            for (int i = 0; i < next.callers.length; i++) {
                Caller caller = next.callers[i];
                if (model.replica(i) == replica && caller.at != At.NOT_YET && !caller.over()) {
                    caller.end(At.DEAD, next.messages[i] == Message.FLIGHT);
                    any = true;
                }
            }
            if (any) {
                next.crashes--;
                next.cache[replica] = -1;
                next.attached[replica] = -1;
                model.add(() -> "crash: replica " + name + " dies", -1, next, null);
            }
        }
    }

    private void memory(World world) {
        for (int replica = 0; replica < 2; replica++) {
            if (world.cache[replica] >= 0) {
                int name = replica + 1;
                World next = world.copy();
                next.cache[replica] = -1;
                model.add(() -> "memory: replica " + name + " forgets", -1, next, null);
            }
        }
    }

    private void erase(World world) {
        Row row = world.row;
        if (world.erasures == 0 || row == null || row.erased()) {
            return;
        }
        if (model.without(Guard.G15)) {
            if (row.is(State.RECORDED)) {
                World next = world.copy();
                next.erasures--;
                ledger.commit(next, null, ModelLedger.Why.ERASURE, true);
                model.add(() -> "operator: erases the entry", -1, next, null);
            }
        } else if (row.is(State.RECORDED) || row.is(State.RELEASED)) {
            World next = world.copy();
            next.erasures--;
            String wrong = ledger.commit(
                    next, Row.of(row.entry().blanked(), row.withResponse(-1)), ModelLedger.Why.ERASURE, true);
            model.add(() -> "operator: erases the entry", -1, next, row.is(State.RELEASED) ? null : wrong);
        }
    }

    private void failOver(World world) {
        boolean loses = !world.acknowledged || (model.without(Guard.G12) && !Objects.equals(world.row, world.before));
        if (world.failovers > 0 && loses) {
            World next = world.copy();
            next.failovers--;
            next.row = world.before;
            next.acknowledged = true;
            model.add(() -> "failover: the last commit is lost", -1, next, null);
        }
    }
}

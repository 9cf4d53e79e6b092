package dev.latchkey.gateway;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Decision;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.Protocol;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.telemetry.Trace;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One call's turns: it looks, decides, acts, and looks again until it has an answer or has won its claim. Used by one
/// thread.
///
/// @param <W> what a won claim comes to
abstract class Turns<W> {

    private static final int ROUNDS = 16;

    private final Ledger ledger;
    private final Waiters waiters;
    private final Ask ask;
    private final Patience patience;
    private final Trace trace;
    /// An attempt that this call waited for went into doubt: it answers so, and does not forward (G11).
    private boolean waited;
    /// This call's wait is spent: it attaches to nobody any more.
    private boolean alone;

    /// @param patience how long to wait for another's attempt
    Turns(Ledger ledger, Waiters waiters, Ask ask, Patience patience, Trace trace) {
        this.ledger = ledger;
        this.waiters = waiters;
        this.ask = ask;
        this.patience = patience;
        this.trace = trace;
    }

    /// Tries to win the claim.
    abstract Turn<W> claim(Grounds grounds);

    /// The ledger shows what is replayed.
    abstract void replays(Found found);

    /// Takes turns, beginning with a claim; where others wait for an equal request already, beginning with them.
    Turn.Last<W> take() {
        long since = trace.now();
        Optional<Waiters.Waited> joined = waiters.join(ask.id(), ask.fingerprint(), patience.left());
        return take(joined.map(end -> after(end, since)).orElseGet(Turn.Again::new));
    }

    /// Takes turns, beginning with what was found already.
    Turn.Last<W> take(Found known) {
        return take(new Turn.Saw<>(known));
    }

    private Turn.Last<W> take(Turn<W> first) {
        Turn<W> turn = first;
        for (int round = 0; round < ROUNDS; round++) {
            turn = switch (turn) {
                case Turn.Last<W> last -> last;
                case Turn.Saw<W> saw -> turn(saw.found());
                case Turn.Again<W> again -> claim(new Grounds.NoEntry());
            };
            if (turn instanceof Turn.Last<W> last) {
                return last;
            }
        }
        return refused(
                Problem.LEDGER_UNAVAILABLE, "This key changes hands too fast. Call again with the same key.");
    }

    private Turn<W> turn(@Nullable Found found) {
        return switch (decide(found)) {
            case Decision.Replay replay -> {
                if (found != null) {
                    replays(found);
                }
                yield new Turn.Done<>(Answer.Delivered.replay(replay.entry(), replay.response()));
            }
            case Decision.Refuse refuse -> new Turn.Done<>(new Answer.Refused(refuse.refusal()));
            case Decision.Forward forward -> claim(forward.grounds());
            case Decision.Wait wait -> {
                long since = trace.now();
                yield after(waiters.await(ask.id(), wait.attempt(), ask.fingerprint(), patience.left()), since);
            }
            case Decision.Sweep sweep -> sweep(sweep.attempt());
        };
    }

    /// What the protocol says of an entry to this call as it stands.
    final Decision decide(@Nullable Found found) {
        return Protocol.onCall(found, ask, waited);
    }

    /// Whether this call's wait is spent.
    final boolean alone() {
        return alone;
    }

    /// Attaches to an equal call's attempt on this replica.
    final Turn<W> attach(LocalAttempt other) {
        long since = trace.now();
        return after(waiters.await(other, patience.left()), since);
    }

    /// Without a place nothing is claimed; what can be told without a claim is told.
    final Turn<W> noPlace(Places.Entrance.Full full, Grounds grounds) {
        if (grounds instanceof Grounds.NoEntry) {
            Found found = ledger.find(ask.id());
            if (found != null && !(decide(found) instanceof Decision.Forward)) {
                return new Turn.Saw<>(found);
            }
        }
        return new Turn.Done<>(
                new Answer.Refused(full.refusal("Nothing was claimed. Call again with the same key.")));
    }

    static <W> Turn.Done<W> refused(Problem problem, String detail) {
        return new Turn.Done<>(new Answer.Refused(Refusal.of(problem, detail)));
    }

    private Turn<W> sweep(long attempt) {
        return switch (ledger.settle(ask.id(), attempt, new Transition.LeaseOver())) {
            case Ledger.Settled.Applied applied -> new Turn.Saw<>(applied.now());
            case Ledger.Settled.Lost lost -> new Turn.Saw<>(lost.found());
        };
    }

    /// @param since the wait began
    private Turn<W> after(Waiters.Waited end, long since) {
        trace.waited(since);
        return switch (end) {
            case Waiters.Waited.Told told -> new Turn.Done<>(anothers(told.answer()));
            case Waiters.Waited.Look look -> look(look.over());
            case Waiters.Waited.Saw saw -> saw(saw.found(), saw.over());
            case Waiters.Waited.Silent silent -> refused(
                    Problem.LEDGER_UNAVAILABLE,
                    "The ledger does not answer, so nobody can say what becomes of the first call with this key. Call"
                            + " again with the same key.");
            case Waiters.Waited.Spent spent -> spent();
            case Waiters.Waited.NoPlace none -> refused(
                    Problem.OVERLOADED,
                    "The first call with this key is under way and no place is free to wait for it. Call again with the"
                            + " same key.");
        };
    }

    /// Not fresh: the forward was made for another call.
    private static Answer anothers(Answer answer) {
        return answer instanceof Answer.Delivered delivered ? delivered.toAnother() : answer;
    }

    private Turn<W> saw(Found found, boolean over) {
        waited = over && (found.entry().state() == State.IN_DOUBT || found.entry().leaseOver(found.now()));
        return new Turn.Saw<>(found);
    }

    private Turn<W> look(boolean over) {
        Found found = ledger.find(ask.id());
        return found == null ? new Turn.Again<>() : saw(found, over);
    }

    /// The wait is spent: the ledger says what the key's entry is now, for a 409 never hides a 422 or a replay. Where it
    /// is free, or has no entry yet, this call claims by itself.
    private Turn<W> spent() {
        alone = true;
        Found found = ledger.find(ask.id());
        if (found == null) {
            return new Turn.Again<>();
        }
        if (Protocol.onCall(found, ask, true) instanceof Decision.Wait) {
            return new Turn.Done<>(new Answer.Refused(Protocol.waitSpent(found.entry(), found.now())));
        }
        return saw(found, true);
    }
}

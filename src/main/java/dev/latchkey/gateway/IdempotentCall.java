package dev.latchkey.gateway;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Decision;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Protocol;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.telemetry.Metrics;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// A call with a key: claims and forwards, or replays, waits or refuses, as the protocol says. Safe for any number of
/// threads; blocks its caller, and holds no database connection while it forwards or waits.
public final class IdempotentCall {

    private static final int ROUNDS = 16;
    private static final Duration BEYOND_TIMEOUT = Duration.ofSeconds(1);

    private final Ledger ledger;
    private final Abandoning abandoning;
    private final Claiming claiming;
    private final Settling settling;
    private final Waiters waiters;
    private final ReplayCache cache;
    private final Places places;
    private final ByteBudget budget;
    private final Clocks clocks;
    private final LongSupplier random;
    private final ForwardHeaders headers;
    private final Executor forwards;

    /// Carries out calls with these parts.
    ///
    /// @param random attempt ids and trace ids; must not repeat
    /// @param forwards runs each forward on a thread of its own
    public IdempotentCall(
            Ledger ledger, Waiters waiters, ReplayCache cache, Places places, ByteBudget budget, Clocks clocks,
            LongSupplier random, Executor forwards, Metrics metrics) {
        this.ledger = ledger;
        this.settling = new Settling(ledger, cache, waiters, clocks, metrics);
        this.abandoning = new Abandoning(ledger, clocks, forwards);
        this.claiming = new Claiming(ledger, abandoning, clocks);
        this.waiters = waiters;
        this.cache = cache;
        this.places = places;
        this.budget = budget;
        this.clocks = clocks;
        this.random = random;
        this.headers = new ForwardHeaders(random);
        this.forwards = forwards;
    }

    /// Answers one call.
    Answer answer(Call call, RoutePlan plan, Ask ask) {
        Since begin = Since.now(clocks);
        Optional<ReplayCache.Hit> hit = cache.find(ask.id(), ask.fingerprint());
        if (hit.isPresent() && hit.get().fresh()) {
            return hit.get().answer();
        }
        Found known = null;
        if (hit.isPresent()) {
            try {
                known = lookAgain(ask, begin);
            } catch (LedgerUnavailable e) {
                return hit.get().answer();
            }
        }
        try {
            return new Turns(call, plan, ask, begin).answer(known);
        } catch (LedgerUnavailable e) {
            return ledgerAway();
        }
    }

    /// What was kept is worth nothing once the ledger says otherwise, such as erased: not while it is away later on, either.
    private @Nullable Found lookAgain(Ask ask, Since begin) {
        Found found = ledger.find(ask.id());
        if (found == null) {
            cache.forget(ask.id());
        } else {
            cache.learn(found, begin);
        }
        return found;
    }

    /// How many claims may still appear though their callers were told that nothing was forwarded.
    int abandoned() {
        return abandoning.count();
    }

    private static Answer ledgerAway() {
        return new Answer.Refused(Refusal.of(
                Problem.LEDGER_UNAVAILABLE,
                "The ledger cannot be reached, so nothing was forwarded by this call. Call again with the same key."));
    }

    /// One call's turns: it looks, decides, acts, and looks again until it has an answer. Used by one thread.
    private final class Turns {
        private final Call call;
        private final RoutePlan plan;
        private final Ask ask;
        private final Since begin;
        private final Patience patience;
        /// An attempt that this call waited for went into doubt: it answers so, and does not forward (G11).
        private boolean waited;
        /// This call's wait is spent: it attaches to nobody any more.
        private boolean alone;

        Turns(Call call, RoutePlan plan, Ask ask, Since begin) {
            this.call = call;
            this.plan = plan;
            this.ask = ask;
            this.begin = begin;
            Duration asked = call.patience();
            this.patience =
                    Patience.of(clocks, asked == null ? ask.route().timeout().plus(BEYOND_TIMEOUT) : asked);
        }

        Answer answer(@Nullable Found known) {
            Found found = known;
            boolean looked = known != null;
            for (int round = 0; round < ROUNDS; round++) {
                Turn turn = looked ? turn(found) : claim(new Grounds.NoEntry());
                switch (turn) {
                    case Turn.Done done -> {
                        return done.answer();
                    }
                    case Turn.Running running -> {
                        return running.attempt().await();
                    }
                    case Turn.Saw saw -> {
                        found = saw.found();
                        looked = true;
                    }
                    case Turn.Again again -> looked = false;
                }
            }
            return refused(Problem.LEDGER_UNAVAILABLE,
                    "This key changes hands too fast. Call again with the same key.");
        }

        private Turn turn(@Nullable Found found) {
            return switch (Protocol.onCall(found, ask, waited)) {
                case Decision.Replay replay -> replay(replay, found);
                case Decision.Refuse refuse -> new Turn.Done(new Answer.Refused(refuse.refusal()));
                case Decision.Forward forward -> claim(forward.grounds());
                case Decision.Wait wait -> after(waiters.await(ask.id(), wait.attempt(), patience.left()));
                case Decision.Sweep sweep -> sweep(sweep.attempt());
            };
        }

        private Turn replay(Decision.Replay replay, @Nullable Found found) {
            if (found != null) {
                cache.learn(found, begin);
            }
            return new Turn.Done(Answer.Delivered.replay(replay.entry(), replay.response()));
        }

        private Turn sweep(long attempt) {
            return switch (ledger.settle(ask.id(), attempt, new Transition.LeaseOver())) {
                case Ledger.Settled.Applied applied -> new Turn.Saw(applied.now());
                case Ledger.Settled.Lost lost -> new Turn.Saw(lost.found());
            };
        }

        /// Takes a place, then claims, then sends at once: nothing waits between claim and send. Equal calls on this replica
        /// attach to the one that claims, unless this call's wait is spent.
        private Turn claim(Grounds grounds) {
            long attempt = random.getAsLong();
            return switch (waiters.begin(ask.id(), attempt, ask.fingerprint())) {
                case Waiters.Begun.Mine mine -> claim(grounds, mine.attempt());
                case Waiters.Begun.Other other when alone ->
                        claim(grounds, waiters.beginBeside(ask.id(), attempt, ask.fingerprint()));
                case Waiters.Begun.Other other -> after(waiters.await(other.attempt(), patience.left()));
            };
        }

        private Turn claim(Grounds grounds, LocalAttempt local) {
            LocalAttempt.@Nullable End end = new LocalAttempt.End.LookAgain();
            Places.@Nullable Place place = null;
            local.look();
            try {
                Turn turn;
                switch (places.enter(plan.policy().name(), ask.client())) {
                    case Places.Entrance.Full full -> turn = noPlace(full, grounds);
                    case Places.Entrance.Taken taken -> {
                        place = taken.place();
                        turn = claim(new Claim(ask, local.attempt(), grounds), local, taken.place());
                    }
                }
                end = switch (turn) {
                    case Turn.Running running -> null;
                    case Turn.Saw saw -> saw.found() == null
                            ? new LocalAttempt.End.LookAgain()
                            : new LocalAttempt.End.Lost(saw.found());
                    case Turn.Done done -> new LocalAttempt.End.Told(done.answer());
                    case Turn.Again again -> new LocalAttempt.End.LookAgain();
                };
                return turn;
            } catch (LedgerUnavailable e) {
                end = new LocalAttempt.End.Told(ledgerAway());
                throw e;
            } finally {
                if (end != null) {
                    if (place != null) {
                        place.close();
                    }
                    waiters.end(local, end);
                }
            }
        }

        private Turn claim(Claim claim, LocalAttempt local, Places.Place place) {
            // The window begins before the claim is handed over and is never renewed (G6).
            SendWindow window = SendWindow.from(clocks, ask.route().sendWindow());
            return switch (claiming.claim(claim)) {
                case Ledger.Claimed.Lost lost -> lost.found() == null ? new Turn.Again() : new Turn.Saw(lost.found());
                case Ledger.Claimed.Won won -> {
                    Attempt running = new Attempt(
                            settling, won.entry(), ask, plan, () -> forward(won.entry()), window, local,
                            call.request().body().length(), budget.open(), place::close);
                    yield start(running, won.entry());
                }
            };
        }

        private Turn start(Attempt running, Entry entry) {
            try {
                forwards.execute(running);
                return new Turn.Running(running);
            } catch (RejectedExecutionException e) {
                // The replica ends. Nothing was sent: without this the key would be in doubt though nobody died.
                ledger.settle(entry.id(), entry.attempt(), Protocol.onOutcome(
                        entry, ask.route(), new Outcome.NotSent("shutting down"), plan.replayHeaders()));
                return new Turn.Done(refused(
                        Problem.DRAINING,
                        "This replica is shutting down. Nothing was forwarded by this call. Call again with the same key."));
            }
        }

        private Forward forward(Entry entry) {
            return new Forward(
                    ask.method(), call.pathBelow(), call.request().query(),
                    headers.make(
                            call.request().headers(), call.origin(), plan.ownHeaders().get(), plan.key().header(),
                            plan.key().fieldOf(entry)),
                    call.request().body(), true);
        }

        /// Without a place nothing is claimed; what can be told without a forward is told.
        private Turn noPlace(Places.Entrance.Full full, Grounds grounds) {
            if (grounds instanceof Grounds.NoEntry) {
                Found found = ledger.find(ask.id());
                if (found != null && !(Protocol.onCall(found, ask, waited) instanceof Decision.Forward)) {
                    return new Turn.Saw(found);
                }
            }
            Problem problem = full.clientsOwn() ? Problem.TOO_MANY_CALLS : Problem.OVERLOADED;
            return new Turn.Done(refused(
                    problem,
                    "No place is free among " + full.bound() + ". Nothing was claimed. Call again with the same key."));
        }

        private Turn after(Waiters.Waited end) {
            return switch (end) {
                case Waiters.Waited.Told told -> new Turn.Done(anothers(told.answer()));
                case Waiters.Waited.Look look -> look(look.over());
                case Waiters.Waited.Saw saw -> saw(saw);
                case Waiters.Waited.Spent spent -> spent();
                case Waiters.Waited.NoPlace none -> new Turn.Done(refused(
                        Problem.OVERLOADED,
                        "The first call with this key is under way and no place is free to wait for it. Call again with the"
                                + " same key."));
            };
        }

        /// Not fresh: the forward was made for another call.
        private static Answer anothers(Answer answer) {
            return answer instanceof Answer.Delivered delivered ? delivered.toAnother() : answer;
        }

        private Turn saw(Waiters.Waited.Saw saw) {
            return saw(saw.found(), saw.over());
        }

        private Turn saw(Found found, boolean over) {
            waited = over && (found.entry().state() == State.IN_DOUBT || found.entry().leaseOver(found.now()));
            return new Turn.Saw(found);
        }

        private Turn look(boolean over) {
            Found found = ledger.find(ask.id());
            return found == null ? new Turn.Again() : saw(found, over);
        }

        /// The wait is spent: the ledger says what the key's entry is now, for a 409 never hides a 422 or a replay. Where it
        /// is free, or has no entry yet, this call claims by itself.
        private Turn spent() {
            alone = true;
            Found found = ledger.find(ask.id());
            if (found == null) {
                return new Turn.Again();
            }
            if (Protocol.onCall(found, ask, true) instanceof Decision.Wait) {
                return new Turn.Done(new Answer.Refused(Protocol.waitSpent(found.entry(), found.now())));
            }
            return saw(found, true);
        }

        private Answer refused(Problem problem, String detail) {
            return new Answer.Refused(Refusal.of(problem, detail));
        }
    }

    /// How one turn of a call ended.
    private sealed interface Turn {
        record Done(Answer answer) implements Turn {}

        record Running(Attempt attempt) implements Turn {}

        record Saw(@Nullable Found found) implements Turn {}

        record Again() implements Turn {}
    }
}

package dev.latchkey.gateway;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.Protocol;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
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

    private static final Log LOG = Log.of(IdempotentCall.class);
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
    private final Executor forwards;

    /// Carries out calls with these parts.
    ///
    /// @param random attempt ids; must not repeat
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
        this.forwards = forwards;
    }

    /// Answers one call.
    Answer answer(Call call, RoutePlan plan, Ask ask) {
        Since begin = Since.now(clocks);
        Optional<ReplayCache.Hit> hit = cache.find(ask.id(), ask::isFor);
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
            ForwardingTurns turns = new ForwardingTurns(call, plan, ask, begin);
            return switch (known == null ? turns.take() : turns.take(known)) {
                case Turn.Done<Attempt> done -> done.answer();
                case Turn.Won<Attempt> won -> won.won().await();
            };
        } catch (LedgerUnavailable e) {
            LOG.warn(LogEvent.LEDGER_LOST, "reason", String.valueOf(e.getMessage()), "entry", ask.id());
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
                "The ledger did not answer in time, so nothing was forwarded by this call. Call again with the same key."));
    }

    /// The turns of a call that is forwarded once its claim is won.
    private final class ForwardingTurns extends Turns<Attempt> {
        private final Call call;
        private final RoutePlan plan;
        private final Ask ask;
        private final Since begin;

        ForwardingTurns(Call call, RoutePlan plan, Ask ask, Since begin) {
            super(ledger, waiters, ask, Patience.of(clocks, patience(call, ask)), call.trace());
            this.call = call;
            this.plan = plan;
            this.ask = ask;
            this.begin = begin;
        }

        @Override
        void replays(Found found) {
            cache.learn(found, begin);
        }

        /// Takes a place, then claims, then sends at once: nothing waits between claim and send. Equal calls on this replica
        /// attach to the one that claims, unless this call's wait is spent.
        @Override
        Turn<Attempt> claim(Grounds grounds) {
            long attempt = random.getAsLong();
            return switch (waiters.begin(ask.id(), attempt, ask.fingerprint())) {
                case Waiters.Begun.Mine mine -> claim(grounds, mine.attempt());
                case Waiters.Begun.Other other when alone() ->
                        claim(grounds, waiters.beginBeside(ask.id(), attempt, ask.fingerprint()));
                case Waiters.Begun.Other other -> attach(other.attempt());
            };
        }

        private Turn<Attempt> claim(Grounds grounds, LocalAttempt local) {
            LocalAttempt.@Nullable End end = new LocalAttempt.End.LookAgain();
            Places.@Nullable Place place = null;
            local.look();
            try {
                Turn<Attempt> turn;
                switch (places.enter(plan.policy().name(), ask.client())) {
                    case Places.Entrance.Full full -> turn = noPlace(full, grounds);
                    case Places.Entrance.Taken taken -> {
                        place = taken.place();
                        turn = claim(new Claim(ask, local.attempt(), grounds), local, taken.place());
                    }
                }
                end = switch (turn) {
                    case Turn.Won<Attempt> running -> null;
                    case Turn.Saw<Attempt> saw -> saw.found() == null
                            ? new LocalAttempt.End.LookAgain()
                            : new LocalAttempt.End.Lost(saw.found());
                    case Turn.Done<Attempt> done -> new LocalAttempt.End.Told(done.answer());
                    case Turn.Again<Attempt> again -> new LocalAttempt.End.LookAgain();
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

        private Turn<Attempt> claim(Claim claim, LocalAttempt local, Places.Place place) {
            // The window begins before the claim is handed over and is never renewed (G6).
            SendWindow window = SendWindow.from(clocks, ask.route().sendWindow());
            return switch (claiming.claim(claim, call.trace())) {
                case Ledger.Claimed.Lost lost ->
                        lost.found() == null ? new Turn.Again<>() : new Turn.Saw<>(lost.found());
                case Ledger.Claimed.Won won -> {
                    Attempt running = new Attempt(
                            settling, won.entry(), ask, plan, call.trace(), parent -> forward(won.entry(), parent),
                            window, local,
                            call.request().body().length(), budget.open(), place::close);
                    yield start(running, won.entry());
                }
            };
        }

        private Turn<Attempt> start(Attempt running, Entry entry) {
            try {
                forwards.execute(running);
                return new Turn.Won<>(running);
            } catch (RejectedExecutionException e) {
                // The replica ends. Nothing was sent: without this the key would be in doubt though nobody died.
                ledger.settle(entry.id(), entry.attempt(), Protocol.onOutcome(
                        entry, ask.route(), new Outcome.NotSent("shutting down"), plan.replayHeaders()));
                return refused(
                        Problem.DRAINING,
                        "This replica is shutting down. Nothing was forwarded by this call. Call again with the same key.");
            }
        }

        private Forward forward(Entry entry, String traceparent) {
            return new Forward(
                    ask.method(), call.pathBelow(), call.request().query(),
                    ForwardHeaders.make(
                            call.request().headers(), call.origin(), plan.ownHeaders().get(), plan.key().header(),
                            plan.key().fieldOf(entry), call.trace(), traceparent),
                    call.request().body(), true);
        }
    }

    private static Duration patience(Call call, Ask ask) {
        Duration asked = call.patience();
        return asked == null ? ask.route().timeout().plus(BEYOND_TIMEOUT) : asked;
    }
}

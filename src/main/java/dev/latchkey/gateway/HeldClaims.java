package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.ClaimToken;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.FingerprintKeys;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.Fingerprinting;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.JsonPointer;
import dev.latchkey.protocol.Protocol;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.telemetry.Event;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.Metrics;
import dev.latchkey.telemetry.Trace;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Claims that their callers hold themselves, for effects that are no calls through the gateway: a file, a mail, a vendor's
/// library. The same entries, leases and fences as for forwards; what a forward does for an attempt, the holder does with
/// its token. Safe for any number of threads; blocks its caller, and holds no database connection while it waits.
///
/// Every method throws [LedgerUnavailable] when the ledger cannot be reached in time; then the same may be asked again.
public final class HeldClaims {

    /// What stands as route in the entries of held claims; no route of the settings may have this name.
    public static final String ROUTE = "/v1/claims";

    /// Members of a claim's body that say how it is held, and not what will be done.
    public static final String LEASE = "lease";
    public static final String ON_EXPIRY = "on_expiry";

    private static final Log LOG = Log.of(HeldClaims.class);
    private static final FingerprintPolicy FINGERPRINT = new FingerprintPolicy(
            List.of(JsonPointer.parse("/" + LEASE), JsonPointer.parse("/" + ON_EXPIRY)), List.of());
    private static final Duration BEYOND_LEASE = Duration.ofSeconds(1);
    private static final int ROUNDS = 3;

    private final Ledger ledger;
    private final Claiming claiming;
    private final Waiters waiters;
    private final Places places;
    private final Clocks clocks;
    private final LongSupplier random;
    private final Metrics metrics;
    private final FingerprintKeys keys;
    private final Terms terms;
    private final Door door;

    /// @param random tokens are made of it: nobody must be able to guess it
    /// @param background releases claims of which nobody knows whether they are committed
    /// @param keys what fingerprints are made with
    public HeldClaims(
            Ledger ledger, Waiters waiters, Places places, Clocks clocks, LongSupplier random, Executor background,
            Metrics metrics, FingerprintKeys keys, Terms terms) {
        this.ledger = ledger;
        this.keys = keys;
        this.claiming = new Claiming(ledger, new Abandoning(ledger, clocks, background), clocks);
        this.waiters = waiters;
        this.places = places;
        this.clocks = clocks;
        this.random = random;
        this.metrics = metrics;
        this.terms = terms;
        this.door = new Door(
                Route.ofHeldClaim(ROUTE, terms.lease(), false, terms.retention()), ROUTE, new KeyRule.Required());
    }

    /// What the settings say of held claims.
    ///
    /// @param lease where the caller asks for none
    /// @param longestLease a longer one is cut to it
    /// @param longestWait a longer wait is cut to it
    /// @param retention how long results are kept
    public record Terms(Duration lease, Duration longestLease, Duration longestWait, Retention retention) {

        private Duration lease(@Nullable Duration asked) {
            Duration wanted = asked == null ? lease : asked;
            return shorter(wanted, longestLease);
        }
    }

    /// What a caller asks for.
    ///
    /// @param request as it came; its body says what will be done
    /// @param lease null: the usual
    /// @param patience how long to wait for another's claim; null: until this claim's own lease would be over
    /// @param trace how it goes, for those who look
    public record Wanted(
            Caller caller, IdempotencyKey key, Request request, @Nullable Duration lease, boolean releasedOnExpiry,
            @Nullable Duration patience, Trace trace) {}

    /// What came of asking.
    public sealed interface Outcome {
        /// The caller holds the claim, and it is committed.
        ///
        /// @param entry its claim time is the ledger's clock just before the commit
        record Held(Entry entry, ClaimToken token) implements Outcome {}

        /// The result that is recorded already, or a refusal.
        record Answered(Answer answer) implements Outcome {}
    }

    /// What came of using a token.
    public sealed interface Used {
        /// Carried out, now or by an earlier request whose answer was lost.
        record Done(Found now) implements Used {}

        /// Nothing was changed.
        record Refused(Refusal refusal) implements Used {}
    }

    /// The reserved route, as if its callers' claims were calls.
    public Door door() {
        return door;
    }

    /// Tries to win a claim for its caller; waits while another holds it.
    ///
    /// @param bodyLimit the most bytes of a body, decoded
    public Outcome claim(Wanted wanted, long bodyLimit) {
        Fingerprinting fingerprinting = Fingerprint.of(wanted.request(), FINGERPRINT, keys, bodyLimit);
        return switch (fingerprinting) {
            case Fingerprinting.Taken taken -> claim(wanted, taken);
            case Fingerprinting.Undecodable undecodable ->
                    new Outcome.Answered(refused(Problem.REQUEST_INVALID, undecodable.reason()));
            case Fingerprinting.TooLarge tooLarge -> new Outcome.Answered(refused(
                    Problem.BODY_TOO_LARGE, "The body is larger than " + tooLarge.limit() + " bytes once decoded."));
        };
    }

    private Outcome claim(Wanted wanted, Fingerprinting.Taken taken) {
        String client = wanted.caller().oldestName();
        Duration lease = terms.lease(wanted.lease());
        Ask ask = new Ask(
                EntryId.of(client, wanted.key()), client, wanted.key(),
                Route.ofHeldClaim(ROUTE, lease, wanted.releasedOnExpiry(), terms.retention()), taken.fingerprint(),
                taken.digest(), wanted.request().method(), wanted.request().target());
        Duration patience = wanted.patience() == null ? lease.plus(BEYOND_LEASE) : wanted.patience();
        HoldingTurns turns = new HoldingTurns(
                ask, Patience.of(clocks, shorter(patience, terms.longestWait())), wanted.trace());
        return switch (turns.take()) {
            case Turn.Done<Outcome.Held> done -> new Outcome.Answered(done.answer());
            case Turn.Won<Outcome.Held> won -> won.won();
        };
    }

    /// Records the result of a held claim, as the answer to every repeat.
    ///
    /// @param headers as they came; those that describe the body are kept
    public Used result(EntryId id, Caller caller, ClaimToken token, Headers headers, Body body) {
        return use(id, caller, token, new Transition.Result(Protocol.replayed(headers), body, terms.retention()));
    }

    /// Holds a claim for longer.
    ///
    /// @param lease from now on; null: the usual
    public Used renew(EntryId id, Caller caller, ClaimToken token, @Nullable Duration lease) {
        return use(id, caller, token, new Transition.Renew(terms.lease(lease)));
    }

    /// Gives a claim up: nothing happened, the key is free.
    public Used release(EntryId id, Caller caller, ClaimToken token) {
        return use(id, caller, token, new Transition.Release(Cause.GIVEN_UP));
    }

    /// One compare-and-set on the token's attempt, so that whoever lost the claim changes nothing.
    private Used use(EntryId id, Caller caller, ClaimToken token, Transition transition) {
        Found found = ledger.find(id);
        // A key that was released may serve a call by now: whoever held it has lost its claim all the same.
        if (found == null || !found.entry().client().equals(caller.oldestName())) {
            return new Used.Refused(Refusal.of(
                    Problem.NO_SUCH_ENTRY, "No claim of yours has this entry id. Use the one that you were given."));
        }
        long attempt = token.attempt();
        for (int round = 0; round < ROUNDS; round++) {
            switch (ledger.settle(id, attempt, transition)) {
                case Ledger.Settled.Applied applied -> {
                    return new Used.Done(applied.now());
                }
                case Ledger.Settled.Lost(Found held) -> {
                    Optional<Refusal> refusal = Protocol.onLostClaim(held, attempt, transition);
                    if (refusal.isPresent()) {
                        noteLate(id, attempt, transition, held);
                        return new Used.Refused(refusal.get());
                    }
                    // Its acknowledgement was lost: what is told as recorded must be so after a failover, too (G7).
                    if (held != null && ledger.confirm(id, attempt, held.entry().state())) {
                        return new Used.Done(held);
                    }
                }
            }
        }
        throw new LedgerUnavailable("the entry moves on while it is confirmed", false, null);
    }

    /// A holder that comes too late has probably done it: operators must see that (G18). Its status only, for it may come
    /// again and again.
    private void noteLate(EntryId id, long attempt, Transition transition, @Nullable Found held) {
        boolean late = transition instanceof Transition.Result
                && !(held != null && held.entry().attempt() == attempt && held.entry().state() == State.RECORDED);
        if (late) {
            ledger.noteLateResponse(
                    id, attempt,
                    new Transition.Record(Transition.Result.STATUS, Headers.empty(), null, false, terms.retention()));
            metrics.count(Event.LATE_RESPONSE, ROUTE);
            LOG.warn(LogEvent.LATE_RESPONSE, "entry", id, "route", ROUTE, "status", Transition.Result.STATUS);
        }
    }

    private ClaimToken newToken() {
        ByteBuffer bytes = ByteBuffer.allocate(ClaimToken.BYTES);
        while (bytes.hasRemaining()) {
            bytes.putLong(random.getAsLong());
        }
        return ClaimToken.of(bytes.array());
    }

    private static Answer refused(Problem problem, String detail) {
        return new Answer.Refused(Refusal.of(problem, detail));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /// The turns of a caller that holds its claim once it is won.
    private final class HoldingTurns extends Turns<Outcome.Held> {
        private final Ask ask;
        private final Trace trace;

        HoldingTurns(Ask ask, Patience patience, Trace trace) {
            super(ledger, waiters, ask, patience, trace);
            this.ask = ask;
            this.trace = trace;
        }

        /// Each with a token of its own: one that is told 503 never learns it, so that its claim does nothing (G8).
        @Override
        Turn<Outcome.Held> claim(Grounds grounds) {
            Places.Entrance.@Nullable Full full = places.claim(ask.client());
            return full == null ? claimNow(grounds) : noPlace(full, grounds);
        }

        private Turn<Outcome.Held> claimNow(Grounds grounds) {
            ClaimToken token = newToken();
            return switch (claiming.claim(new Claim(ask, token.attempt(), grounds), trace)) {
                case Ledger.Claimed.Won won -> new Turn.Won<>(new Outcome.Held(won.entry(), token));
                case Ledger.Claimed.Lost lost ->
                        lost.found() == null ? new Turn.Again<>() : new Turn.Saw<>(lost.found());
            };
        }

        @Override
        void replays(Found found) {
            // Results stay out of the memory: they are asked for once a run, not a thousand times a second.
        }
    }
}

package dev.latchkey.protocol;

import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Decides, at each turn of a call, what is to be done and what is to be told. Pure: the same inputs give the same answer.
/// The guards G1 to G22 are those of the design's ledger page; what a decision cannot carry by itself (compare-and-set,
/// order of commits) stands with [Claim] and [Transition].
public final class Protocol {

    /// Contract §7, and `Content-Encoding`: a downstream that codes a body although `identity` was asked for would else be
    /// replayed as bytes that nobody can read.
    private static final Set<String> REPLAYED = Set.of(
            "content-encoding", "content-type", "content-language", "content-disposition", "location",
            "content-location", "etag",
            "last-modified", "link", "preference-applied");

    private static final String VERDICT = "verdict";

    /// How far the clocks of two machines that are well may be apart, with the way between them.
    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

    private Protocol() {}

    /// What to do with a call whose entry the ledger shows like this.
    ///
    /// @param waited whether this call has waited for an attempt that went into doubt, or has forwarded: it forwards no
    ///     more (G11: one call makes at most one forward)
    public static Decision onCall(@Nullable Found found, Ask ask, boolean waited) {
        if (found == null) {
            return new Decision.Forward(new Grounds.NoEntry());
        }
        Entry entry = found.entry();
        if (entry.state() == State.RELEASED || entry.pastRetention(found.now())) {
            return new Decision.Forward(new Grounds.NewGeneration(entry.attempt()));
        }
        if (entry.erased()) {
            return new Decision.Refuse(Refusal.responseGone(entry));
        }
        if (!ask.comparesWith(entry.fingerprint())) {
            return new Decision.Refuse(Refusal.of(
                    Problem.LEDGER_UNAVAILABLE,
                    "This replica does not know how the stored fingerprint was made: it is older than the one that"
                            + " recorded it, or has not its key. Call again; finish the upgrade or the change of keys."));
        }
        // A 409 never hides a 422: mismatch comes before every other answer about the entry.
        if (!ask.isFor(entry.fingerprint())) {
            return onMismatch(found, ask);
        }
        return switch (entry.state()) {
            case RECORDED -> onRecorded(found);
            case CLAIMED -> entry.leaseOver(found.now())
                    ? new Decision.Sweep(entry.attempt())
                    : new Decision.Wait(entry.attempt());
            case IN_DOUBT -> onDoubtful(found, ask, waited);
            case RELEASED -> throw new IllegalStateException("decided above");
        };
    }

    private static Decision onRecorded(Found found) {
        RecordedResponse response = found.response();
        if (response != null && response.unreadable()) {
            return new Decision.Refuse(Refusal.responseUnreadable());
        }
        return response != null && response.replayable(found.now()) && found.entry().status() != null
                ? new Decision.Replay(found.entry(), response)
                : new Decision.Refuse(Refusal.responseGone(found.entry()));
    }

    private static Decision onMismatch(Found found, Ask ask) {
        Entry entry = found.entry();
        boolean sameDoor = entry.route().equals(ask.route().name()) && entry.method().equals(ask.method());
        if (entry.state() == State.RECORDED && entry.rejection() && ask.route().corrections() && sameDoor) {
            return new Decision.Forward(new Grounds.NewGeneration(entry.attempt()));
        }
        return new Decision.Refuse(Refusal.keyReused(entry, differs(entry, ask), found.now()));
    }

    /// What of the request differs. The body's difference is seen by giving this request the entry's method and target.
    private static List<String> differs(Entry entry, Ask ask) {
        List<String> differs = new ArrayList<>();
        if (!entry.method().equals(ask.method())) {
            differs.add("method");
        }
        if (!entry.target().equals(ask.target())) {
            differs.add("target");
        }
        if (ask.digest().like(entry.fingerprint(), entry.method(), entry.target())
                .filter(entry.fingerprint()::equals).isEmpty()) {
            differs.add("body");
        }
        return List.copyOf(differs);
    }

    private static Decision onDoubtful(Found found, Ask ask, boolean waited) {
        Entry entry = found.entry();
        boolean wanted = ask.route().resend() || entry.windowOpen(ask.route(), found.now());
        if (wanted && !waited && entry.sentAs().equals(ask.route().sentAs())) {
            return new Decision.Forward(new Grounds.Reforward(entry.attempt()));
        }
        return new Decision.Refuse(doubtful(409, entry, ask.route(), found.now()));
    }

    /// The refusal for an entry in doubt: whether to come again, and when.
    static Refusal doubtful(int status, Entry entry, Route route, Instant now) {
        boolean wanted = route.resend() || entry.windowOpen(route, now);
        boolean unchanged = entry.sentAs().equals(route.sentAs());
        Cause why = (wanted || route.lookup()) && !unchanged
                ? Cause.SETTINGS_CHANGED
                : entry.cause() == null ? Cause.LEASE_OVER : entry.cause();
        // An attempt that lost its entry to another speaks of what that one does now: it is not in doubt yet, or not any more.
        boolean held = entry.state() == State.IN_DOUBT;
        boolean retry = !held || (unchanged && (wanted || route.lookup()));
        Duration after = !retry ? null : Duration.ofSeconds(wanted || !held ? 1 : 30);
        return Refusal.outcomeUnknown(status, entry, retry, after, why);
    }

    /// The refusal for a call whose wait is spent.
    public static Refusal waitSpent(Entry entry, Instant now) {
        return Refusal.inProgress(entry, now);
    }

    /// What one is told who asks for an entry's response and executes nothing.
    ///
    /// @param route the entry's; null: the settings have it no longer
    public static Decision onRead(Found found, @Nullable Route route) {
        Entry entry = found.entry();
        return switch (entry.state()) {
            case RECORDED -> onRecorded(found);
            case CLAIMED -> new Decision.Refuse(Refusal.inProgress(entry, found.now()));
            case IN_DOUBT -> new Decision.Refuse(
                    route == null
                            ? Refusal.outcomeUnknown(409, entry, false, null, Cause.SETTINGS_CHANGED)
                            : doubtful(409, entry, route, found.now()));
            case RELEASED -> new Decision.Refuse(Refusal.of(
                    Problem.NO_SUCH_ENTRY, "This entry is released: its key is free, and there is no response."));
        };
    }

    /// What the holder of a claim is told whose transition the ledger did not carry out.
    ///
    /// @param found what the ledger holds instead; null: no entry
    /// @param attempt the holder's
    /// @return the refusal; empty: it had been carried out before, and the answer to that was lost
    public static Optional<Refusal> onLostClaim(@Nullable Found found, long attempt, Transition wanted) {
        if (found == null) {
            return Optional.of(Refusal.of(
                    Problem.NO_SUCH_ENTRY,
                    "There is no entry of this claim any more: it was forgotten after its time."));
        }
        Entry entry = found.entry();
        boolean mine = entry.attempt() == attempt;
        if (mine && wanted instanceof Transition.Result && found.response() != null
                && found.response().unreadable()) {
            return Optional.of(Refusal.responseUnreadable());
        }
        boolean done = mine && switch (wanted) {
            case Transition.Result result -> entry.state() == State.RECORDED && isOrWas(found.response(), result);
            case Transition.Release _ -> entry.state() == State.RELEASED;
            default -> false;
        };
        return done ? Optional.empty() : Optional.of(Refusal.claimLost(entry, mine, found.now()));
    }

    /// What is no longer kept cannot be told from what is sent again.
    private static boolean isOrWas(@Nullable RecordedResponse kept, Transition.Result result) {
        return kept == null || (kept.headers().equals(result.headers()) && Objects.equals(result.body(), kept.body()));
    }

    /// The fields of a result that are replayed.
    public static Headers replayed(Headers sent) {
        return sent.only(line -> REPLAYED.contains(line.lowerCaseName()));
    }

    /// What comes of an operator's verdict on an entry. The ledger's statement repeats every condition.
    ///
    /// A lookup has itself watched the attempt in doubt for the delay by a monotonic clock (G5). A person comes once, and
    /// the replica that is asked may have started a moment ago: here the replica's own wall clock, besides the ledger's,
    /// must say that the delay was over when the look began, so that one clock that jumped frees no key.
    ///
    /// @param own the attempt id that *executed* writes
    /// @param route the entry's; null: the settings have it no longer, so that nothing can be forwarded again
    /// @param here the replica's own wall clock before the ledger was asked
    public static Verdict.Ruling onVerdict(
            Found found, Verdict verdict, long own, @Nullable Route route, Duration settleDelay, Instant here) {
        Entry entry = found.entry();
        if (entry.state() != State.IN_DOUBT) {
            return new Verdict.Ruling.Refuse(Refusal.notInDoubt(entry));
        }
        return switch (verdict) {
            case Verdict.Executed it -> new Verdict.Ruling.Settle(
                    entry.attempt(), new Transition.Executed(
                            own, it.status(), it.headers(), it.body(), VERDICT, it.reason(), it.by(),
                            route == null ? Retention.usual() : route.retention()));
            case Verdict.NotExecuted it -> onNotExecuted(found, it, route, settleDelay, here);
        };
    }

    private static Verdict.Ruling onNotExecuted(
            Found found, Verdict.NotExecuted verdict, @Nullable Route route, Duration settleDelay, Instant here) {
        Entry entry = found.entry();
        Instant from = entry.leaseUntil().plus(settleDelay);
        if (from.isAfter(verdict.asOf()) || from.isAfter(here)) {
            return new Verdict.Ruling.Refuse(Refusal.tooEarly(entry, from));
        }
        if (verdict.asOf().isAfter(found.now())) {
            return new Verdict.Ruling.Refuse(Refusal.notYet(entry, found.now()));
        }
        Instant looked = here.minus(Duration.between(verdict.asOf(), found.now()));
        if (from.isAfter(looked.plus(CLOCKS_DIFFER))) {
            return new Verdict.Ruling.Refuse(Refusal.tooEarly(entry, from));
        }
        Duration window = route == null ? null : route.deduplicates();
        if (route != null && window != null && entry.windowOpen(route, found.now())) {
            Instant until = entry.firstForwardAt().plus(window).minus(route.timeout());
            return new Verdict.Ruling.Refuse(Refusal.windowOpen(entry, until));
        }
        return new Verdict.Ruling.Settle(
                entry.attempt(), new Transition.NotExecuted(
                        verdict.asOf(), settleDelay, window, route == null ? Duration.ZERO : route.timeout(), VERDICT,
                        verdict.reason(), verdict.by()));
    }

    /// Where an attempt's outcome takes its entry.
    ///
    /// @param entry as it was claimed
    /// @param replayHeaders header names, in lower case, that the route replays besides the usual ones
    public static Transition onOutcome(Entry entry, Route route, Outcome outcome, Set<String> replayHeaders) {
        return switch (outcome) {
            case Outcome.NotSent none -> entry.isReforward()
                    ? Transition.Doubt.of(Cause.NOT_SENT)
                    : new Transition.Release(Cause.NOT_SENT);
            case Outcome.Unknown unknown -> Transition.Doubt.of(unknown.cause());
            case Outcome.Answered answered -> onAnswered(entry, route, answered, replayHeaders);
        };
    }

    private static Transition onAnswered(
            Entry entry, Route route, Outcome.Answered answered, Set<String> replayHeaders) {
        int status = answered.status();
        if (entry.isReforward()) {
            return route.statuses().settlesReforward(status)
                    ? record(route, answered, false, replayHeaders)
                    : new Transition.Doubt(Cause.ofStatus(status), status, answered.headers(), answered.body());
        }
        return switch (route.statuses().stateAfter(status, answered.sentWhole())) {
            case RECORDED -> record(route, answered, route.statuses().isRejection(status), replayHeaders);
            case RELEASED -> new Transition.Release(Cause.ofStatus(status));
            case IN_DOUBT, CLAIMED ->
                    new Transition.Doubt(Cause.ofStatus(status), status, answered.headers(), answered.body());
        };
    }

    private static Transition record(
            Route route, Outcome.Answered answered, boolean rejection, Set<String> replayHeaders) {
        Set<String> named = answered.headers().namedByConnection();
        Headers kept = answered.headers().only(line -> !named.contains(line.lowerCaseName())
                && (REPLAYED.contains(line.lowerCaseName()) || replayHeaders.contains(line.lowerCaseName())));
        return new Transition.Record(answered.status(), kept, answered.body(), rejection, route.retention());
    }

    /// What the call is told that made a forward which brought no response.
    ///
    /// @param entry as the ledger holds it after the transition
    public static Refusal withoutResponse(Entry entry, Route route, Outcome outcome, Instant now) {
        if (outcome instanceof Outcome.NotSent none && entry.state() == State.RELEASED) {
            return Refusal.notForwarded(entry, none.reason());
        }
        return doubtful(502, entry, route, now);
    }

    /// What the call is told whose forward brought no complete response by the timeout: the attempt is still under way.
    public static Refusal timedOut(Entry entry) {
        Duration soon = Duration.ofSeconds(1);
        return Refusal.outcomeUnknown(504, entry, true, soon, Cause.TIMEOUT);
    }
}

package dev.latchkey.protocol;

import dev.latchkey.http.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The gateway's own no, with what is known of the key, so that programs act without reading the detail.
///
/// @param problem which of the closed list
/// @param status the problem's, or 502 or 504 for `outcome-unknown`
/// @param detail what happened and what to do, for people; names no key, body or credential
/// @param state the entry's when the refusal was made; null: no entry, or none was looked at
/// @param forwarded whether something sent under this key may have taken effect
/// @param retrySameKey whether the same call may bring another answer without a person
/// @param newKeySafe whether no effect can exist or come under this key
/// @param retryAfter when to come again; null: not said
/// @param entry the entry to look at; null: none
/// @param differs for a mismatch: `method`, `target`, `body`
/// @param firstSeen for a mismatch: when the entry was claimed first
/// @param recordedStatus for a response that is gone
/// @param cause why the entry is in doubt
public record Refusal(
        Problem problem,
        int status,
        String detail,
        @Nullable State state,
        Forwarded forwarded,
        boolean retrySameKey,
        boolean newKeySafe,
        @Nullable Duration retryAfter,
        @Nullable EntryId entry,
        List<String> differs,
        @Nullable Instant firstSeen,
        @Nullable Integer recordedStatus,
        @Nullable Cause cause) {

    /// Whether something sent under the key may have taken effect.
    public enum Forwarded {
        NO,
        MAYBE,
        YES;

        /// The word in answers.
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final Duration SOON = Duration.ofSeconds(1);

    /// A refusal that speaks of the call and not of an entry, by the table of the contract.
    public static Refusal of(Problem problem, String detail) {
        boolean noKey = problem == Problem.KEY_MISSING || problem == Problem.KEY_INVALID;
        boolean passing = switch (problem) {
            case OVERLOADED, DRAINING, LEDGER_UNAVAILABLE, TOO_MANY_CALLS -> true;
            default -> false;
        };
        boolean retry = passing || problem == Problem.UNAUTHENTICATED || problem == Problem.REQUEST_TOO_SLOW
                || problem == Problem.INTERNAL_ERROR;
        return new Refusal(
                problem, problem.status(), detail, null, noKey ? Forwarded.NO : Forwarded.MAYBE, retry, noKey,
                passing ? SOON : null, null, List.of(), null, null, null);
    }

    /// One that goes by.
    ///
    /// @param after when to come again; null: soon
    public static Refusal passing(Problem problem, String detail, @Nullable Duration after) {
        Refusal told = of(problem, detail);
        return after == null ? told : told.hint(true, after);
    }

    /// What is recorded is encrypted, and this replica cannot read it.
    static Refusal responseUnreadable() {
        return of(
                Problem.LEDGER_UNAVAILABLE,
                "The recorded response is encrypted, and this replica cannot read it: it has not its key, or the row was"
                        + " damaged. Nothing was forwarded by this call. Call again with the same key; where that does not"
                        + " help, the gateway's log says why.");
    }

    /// The first call under this key is still under way and the wait is spent.
    static Refusal inProgress(Entry entry, Instant now) {
        return of(Problem.IN_PROGRESS,
                "The first call with this key is still under way. Call again with the same key after Retry-After,"
                        + " or ask for a longer wait with Prefer: wait=N.")
                .about(entry).hint(true, untilLeaseEnds(entry, now));
    }

    /// Nobody can know whether the effect happened.
    ///
    /// @param status 409 for a repeat, 502 or 504 for a call whose forward ended so
    static Refusal outcomeUnknown(int status, Entry entry, boolean retry, @Nullable Duration retryAfter, Cause why) {
        String next = retry
                ? "Call again with the same key after Retry-After."
                : "Do not use a new key: look at the downstream, or ask an operator to settle the entry.";
        Refusal told = of(Problem.OUTCOME_UNKNOWN,
                "What was begun under this key has an outcome that is not known (" + why.name()
                        + "): the effect may have"
                        + " happened. Nothing more is sent under this key unless it is safe. " + next)
                .about(entry).hint(retry, retryAfter);
        return new Refusal(
                told.problem, status, told.detail, told.state, told.forwarded, told.retrySameKey, false,
                told.retryAfter,
                told.entry, List.of(), null, null, why);
    }

    /// A first forward that provably sent nothing, its release committed.
    static Refusal notForwarded(Entry entry, String reason) {
        return new Refusal(
                Problem.NOT_FORWARDED, Problem.NOT_FORWARDED.status(),
                "Nothing was sent to the downstream (" + reason + "); the key is free. Call again with the same key.",
                entry.state(), Forwarded.NO, true, false, SOON, null, List.of(), null, null, null);
    }

    /// Same key, other request.
    static Refusal keyReused(Entry entry, List<String> differs, Instant now) {
        boolean passing = entry.state() == State.CLAIMED || entry.state() == State.RELEASED;
        Forwarded forwarded = entry.state() == State.RECORDED ? Forwarded.YES : Forwarded.MAYBE;
        return new Refusal(
                Problem.KEY_REUSED, Problem.KEY_REUSED.status(),
                "This key was used for another request (what differs: " + String.join(", ", differs)
                        + "). Send the request that it was made for, or make a key that names this one.",
                entry.state(), forwarded, passing, false, passing ? untilLeaseEnds(entry, now) : null, null, differs,
                entry.firstForwardAt(), null, null);
    }

    /// Recorded, and the response is purged, erased or was never kept.
    static Refusal responseGone(Entry entry) {
        return new Refusal(
                Problem.RESPONSE_GONE, Problem.RESPONSE_GONE.status(),
                "This request was done and recorded; its response is no longer kept. Nothing was sent again.",
                entry.state(), Forwarded.YES, false, entry.rejection(), null, null, List.of(), null, entry.status(),
                null);
    }

    /// The holder of a claim comes too late, or says something else than before.
    ///
    /// @param mine whether no other attempt has the entry
    static Refusal claimLost(Entry entry, boolean mine, Instant now) {
        boolean passing = entry.state() == State.CLAIMED || entry.state() == State.RELEASED;
        String why = switch (entry.state()) {
            case RECORDED -> mine ? "a result is recorded under it already" : "it was settled by another";
            case RELEASED -> "its key was released";
            case IN_DOUBT -> mine ? "its lease is over and its key in doubt" : "another claim followed it";
            case CLAIMED -> mine ? "its lease is over" : "another claim followed it";
        };
        return new Refusal(
                Problem.CLAIM_LOST, Problem.CLAIM_LOST.status(),
                "This claim is lost: " + why + ". Nothing was changed. Do nothing more under it; ask with the key what"
                        + " holds now, and if the effect happened, tell an operator.",
                entry.state(), entry.state() == State.RECORDED ? Forwarded.YES : Forwarded.MAYBE, passing, false,
                passing ? untilLeaseEnds(entry, now) : null, entry.id(), List.of(), null, null, null);
    }

    /// A verdict on what is settled, or still under way.
    static Refusal notInDoubt(Entry entry) {
        return toOperator(
                Problem.NOT_IN_DOUBT, entry,
                "The entry is " + entry.state().wireName()
                        + ", and only an entry in doubt takes a verdict. Read it again: nothing was changed.");
    }

    /// *Not executed* by a look that began too early.
    static Refusal tooEarly(Entry entry, Instant from) {
        return toOperator(
                Problem.TOO_EARLY, entry,
                "What was sent may still act until " + from
                        + ". Look at the downstream at or after that time and say so"
                        + " with as_of.");
    }

    /// *Not executed* by a look that has not begun yet.
    static Refusal notYet(Entry entry, Instant now) {
        return toOperator(
                Problem.TOO_EARLY, entry,
                "as_of is later than the ledger's clock, which says " + now
                        + ". Give the now of an answer from before you looked at the downstream.");
    }

    /// *Not executed* while the downstream still deduplicates.
    static Refusal windowOpen(Entry entry, Instant until) {
        return toOperator(
                Problem.WINDOW_OPEN, entry,
                "Until " + until + " the client's next call under the same key is forwarded again and settles it more"
                        + " safely. Have it call again, or come back after that time.");
    }

    /// An erasure of what is still open.
    public static Refusal stillClaimed(Entry entry) {
        return toOperator(
                Problem.STILL_CLAIMED, entry,
                "The entry is " + entry.state().wireName()
                        + ", and what becomes of it is open. Erase it once it is recorded or released.");
    }

    private static Refusal toOperator(Problem problem, Entry entry, String detail) {
        Forwarded forwarded = entry.state() == State.RECORDED ? Forwarded.YES : Forwarded.MAYBE;
        return new Refusal(
                problem, problem.status(), detail, entry.state(), forwarded, false, false, null, null, List.of(), null,
                null, null);
    }

    /// A forward without a key that provably sent nothing.
    public static Refusal plainNotForwarded(String reason) {
        return new Refusal(
                Problem.NOT_FORWARDED, Problem.NOT_FORWARDED.status(),
                "Nothing was sent to the downstream (" + reason + "). Call again.", null, Forwarded.NO, true, false,
                SOON,
                null, List.of(), null, null, null);
    }

    /// A forward without a key whose outcome is not known: nothing remembers it.
    public static Refusal plainUnknown(Cause why) {
        int told = why.equals(Cause.TIMEOUT) ? 504 : 502;
        return new Refusal(
                Problem.OUTCOME_UNKNOWN, told,
                "The call was forwarded without a key and its outcome is not known (" + why.name()
                        + "): the effect may have happened. Look at the downstream before you call again.",
                null, Forwarded.MAYBE, false, false, null, null, List.of(), null, null, why);
    }

    private Refusal about(Entry seen) {
        return new Refusal(
                problem, status, detail, seen.state(), forwarded, retrySameKey, newKeySafe, retryAfter, seen.id(),
                differs,
                firstSeen, recordedStatus, cause);
    }

    private Refusal hint(boolean retry, @Nullable Duration after) {
        return new Refusal(
                problem, status, detail, state, forwarded, retry, newKeySafe, after, entry, differs, firstSeen,
                recordedStatus, cause);
    }

    /// When the entry cannot be claimed any longer, but soon enough that a caller who comes then is not late.
    private static Duration untilLeaseEnds(Entry entry, Instant now) {
        Duration left = Duration.between(now, entry.leaseUntil());
        Duration most = Duration.ofSeconds(5);
        return left.compareTo(SOON) < 0 ? SOON : left.compareTo(most) > 0 ? most : left;
    }
}

package dev.latchkey.model;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.State;
import java.time.Duration;
import java.time.Instant;

/// An entry with its times reduced to what they are compared with, so that there are finitely many. To and from the
/// production [Entry]. Immutable.
///
/// @param attempt a call's number, or a settler's
/// @param again whether the attempt is a re-forward
/// @param body which of the two requests
/// @param doubted whether it was ever in doubt in this generation
/// @param age how far the ledger's clock is past the lease
/// @param window how much of the downstream's window is left
/// @param expired recorded, and past its retention
/// @param status recorded; 0: none
/// @param response which attempt's response is kept; negative: none
record Row(
        State state, int attempt, boolean again, int body, int correction, boolean doubted, Age age, Window window,
        boolean expired, int status, boolean rejection, boolean settledByOthers, boolean erased, int response) {

    /// The ledger's clock, which stands still: instead, rows grow old.
    static final Instant NOW = Instant.parse("2026-01-04T10:00:00Z");

    private static final Instant LATER = NOW.plus(Rules.LEASE);
    private static final Instant BEFORE = NOW.minusSeconds(1);
    private static final Instant LONG_BEFORE = BEFORE.minus(Rules.SETTLE_DELAY);
    private static final Instant SOON_OVER = NOW.plusSeconds(1).minus(Rules.WINDOW);
    private static final Instant LONG_OVER = BEFORE.minus(Rules.WINDOW);
    private static final Instant KEPT_UNTIL = NOW.plus(Duration.ofHours(1));

    /// How far the ledger's clock is past an attempt's lease.
    enum Age {
        RUNNING, OVER, SETTLED
    }

    /// How much of the downstream's window is left, from the first forward of the generation.
    enum Window {
        /// Enough for a forward to arrive.
        OPEN,
        /// Less than a forward may take.
        CLOSING, CLOSED
    }

    static Row of(Entry entry, Row before) {
        return new Row(
                entry.state(), number(entry.attempt()), entry.isReforward(), Rules.bodyOf(entry.fingerprint()),
                entry.correction(), entry.inDoubtSince() != null, age(entry), window(entry),
                entry.pastRetention(NOW), entry.state() == State.RECORDED && entry.status() != null
                        ? entry.status()
                        : 0,
                entry.rejection(), entry.settledBy() != null, entry.erased(), before.response());
    }

    /// As a call has just claimed it.
    static Row claimed(int attempt, boolean again, int body, int correction) {
        return new Row(
                State.CLAIMED, attempt, again, body, correction, false, Age.RUNNING, Window.OPEN, false, 0, false,
                false,
                false, -1);
    }

    /// A row that is not there yet.
    static final Row ABSENT = new Row(
            State.RELEASED, -1, false, 0, 0, false, Age.RUNNING, Window.OPEN, false, 0, false, false, false, -1);

    private static Age age(Entry entry) {
        boolean leased = entry.state() == State.CLAIMED || entry.state() == State.IN_DOUBT;
        if (!leased || entry.leaseUntil().isAfter(NOW)) {
            return Age.RUNNING;
        }
        return entry.leaseUntil().plus(Rules.SETTLE_DELAY).isAfter(NOW) ? Age.OVER : Age.SETTLED;
    }

    private static Window window(Entry entry) {
        if (entry.firstForwardAt().equals(NOW)) {
            return Window.OPEN;
        }
        return entry.firstForwardAt().plus(Rules.WINDOW).isAfter(NOW) ? Window.CLOSING : Window.CLOSED;
    }

    Entry entry() {
        return new Entry(
                Rules.ID, Rules.CLIENT, Rules.KEY.text(), Rules.ROUTE, "POST", "/payments",
                Rules.FINGERPRINTS.get(body),
                correction, Rules.SENT_AS, state, attempt, again ? 2 : 1, NOW, firstForwardAt(), leaseUntil(),
                doubted ? NOW : null, doubted ? Cause.LEASE_OVER : null, state == State.RECORDED ? NOW : null,
                state != State.RECORDED ? null : expired ? NOW : KEPT_UNTIL,
                status == 0 ? null : status, rejection, settledByOthers ? "verdict" : null, erased, false);
    }

    Found found() {
        RecordedResponse kept = response < 0
                ? null
                : new RecordedResponse(Headers.empty(), Body.ofUtf8("response " + response), null);
        return new Found(entry(), kept, NOW);
    }

    Instant leaseUntil() {
        return switch (age) {
            case RUNNING -> LATER;
            case OVER -> BEFORE;
            case SETTLED -> LONG_BEFORE;
        };
    }

    private Instant firstForwardAt() {
        return switch (window) {
            case OPEN -> NOW;
            case CLOSING -> SOON_OVER;
            case CLOSED -> LONG_OVER;
        };
    }

    private static int number(long attempt) {
        return Math.toIntExact(attempt);
    }

    boolean is(State wanted) {
        return state == wanted;
    }

    /// Whether this is a success that a cache may keep.
    boolean cacheable() {
        return state == State.RECORDED && status < 400 && response >= 0 && !erased;
    }

    Row aged(Age next) {
        return new Row(
                state, attempt, again, body, correction, doubted, next, window, expired, status, rejection,
                settledByOthers, erased, response);
    }

    Row windowed(Window next) {
        return new Row(
                state, attempt, again, body, correction, doubted, age, next, expired, status, rejection,
                settledByOthers, erased, response);
    }

    Row pastRetention() {
        return new Row(
                state, attempt, again, body, correction, doubted, age, window, true, status, rejection,
                settledByOthers, erased, response);
    }

    Row withResponse(int of) {
        return new Row(
                state, attempt, again, body, correction, doubted, age, window, expired, status, rejection,
                settledByOthers, erased, of);
    }

    Row withCorrection(int number) {
        return new Row(
                state, attempt, again, body, number, doubted, age, window, expired, status, rejection, settledByOthers,
                erased, response);
    }

    Row withRejection(boolean yes) {
        return new Row(
                state, attempt, again, body, correction, doubted, age, window, expired, status, yes, settledByOthers,
                erased, response);
    }

    Row with(State next, int by) {
        return new Row(
                next, by, again, body, correction, doubted, age, window, expired, status, rejection, settledByOthers,
                erased, response);
    }

    Row asFirstForward() {
        return new Row(
                state, attempt, false, body, correction, doubted, age, window, expired, status, rejection,
                settledByOthers, erased, response);
    }

    @Override
    public String toString() {
        return state.wireName() + " by " + Rules.name(attempt) + (status == 0 ? "" : " " + status)
                + (again ? ", re-forward" : "") + (correction == 0 ? "" : ", correction " + correction);
    }
}

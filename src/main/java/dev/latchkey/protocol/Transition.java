package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One arrow of an entry's life: a compare-and-set on entry id and attempt, and the state besides (G1).
public sealed interface Transition {

    /// The entry after this transition, where its conditions hold; empty where it loses. The ledger's statements say the
    /// same.
    ///
    /// @param before what the ledger holds
    /// @param attempt the attempt that the transition speaks for
    Optional<Entry> applyTo(Entry before, long attempt, Instant now);

    /// The response to this attempt is the answer from now on. A genuine success also takes back a key that was freed
    /// meanwhile, if nobody has claimed it (G18).
    ///
    /// @param status the response's
    /// @param headers what is replayed
    /// @param body null: over the cap, not kept
    /// @param rejection whether this is a first forward's 4xx that the route did not move
    /// @param retention how long it is kept
    // Always written qualified; the glossary's verb is "record".
    @SuppressWarnings("AvoidCommonTypeNames")
    record Record(int status, Headers headers, @Nullable Body body, boolean rejection, Retention retention)
            implements Transition {

        /// Whether the downstream says that it did what was asked.
        public boolean succeeded() {
            return status >= 200 && status < 400;
        }

        @Override
        public Optional<Entry> applyTo(Entry before, long attempt, Instant now) {
            boolean open = before.state() == State.CLAIMED || before.state() == State.IN_DOUBT
                    || (before.state() == State.RELEASED && succeeded());
            if (!open || before.attempt() != attempt) {
                return Optional.empty();
            }
            boolean rejected = rejection && before.inDoubtSince() == null;
            return Optional.of(
                    before.recorded(attempt, status, rejected, null, now, after(now, retention.entryKept(rejected))));
        }
    }

    /// Provably no effect: the key is free again. First forwards only (G2), their own swept doubt too (G9).
    ///
    /// @param cause what proves it
    record Release(Cause cause) implements Transition {
        @Override
        public Optional<Entry> applyTo(Entry before, long attempt, Instant now) {
            boolean open = before.state() == State.CLAIMED || before.state() == State.IN_DOUBT;
            return open && before.attempt() == attempt && !before.isReforward()
                    ? Optional.of(before.released(cause))
                    : Optional.empty();
        }
    }

    /// Nobody knows whether this attempt took effect.
    ///
    /// @param cause why
    /// @param status of the response that says nothing; null where none came
    /// @param headers of that response, for the history
    /// @param body of that response, for the history; null where none came
    record Doubt(Cause cause, @Nullable Integer status, Headers headers, @Nullable Body body) implements Transition {

        /// Without a response.
        public static Doubt of(Cause cause) {
            return new Doubt(cause, null, Headers.empty(), null);
        }

        @Override
        public Optional<Entry> applyTo(Entry before, long attempt, Instant now) {
            return before.state() == State.CLAIMED && before.attempt() == attempt
                    ? Optional.of(before.doubted(cause, status, now))
                    : Optional.empty();
        }
    }

    /// The lease is over and the attempt was not settled: in doubt, or released where the holder asked for that.
    record LeaseOver() implements Transition {
        @Override
        public Optional<Entry> applyTo(Entry before, long attempt, Instant now) {
            return before.leaseOver(now) && before.attempt() == attempt
                    ? Optional.of(
                            before.releasedOnExpiry()
                                    ? before.released(Cause.LEASE_OVER)
                                    : before.doubted(Cause.LEASE_OVER, null, now))
                    : Optional.empty();
        }
    }

    /// The holder of a claim says what came of its effect. Unlike a genuine response (G18) it takes back nothing that was
    /// released meanwhile: the holder was told how long its claim holds.
    ///
    /// @param headers what is replayed
    /// @param body what is replayed
    /// @param retention how long it is kept
    record Result(Headers headers, Body body, Retention retention) implements Transition {

        /// The status of every result.
        public static final int STATUS = 200;

        @Override
        public Optional<Entry> applyTo(Entry before, long attempt, Instant now) {
            boolean open = before.state() == State.CLAIMED || before.state() == State.IN_DOUBT;
            return open && before.attempt() == attempt
                    ? Optional.of(
                            before.recorded(attempt, STATUS, false, null, now, after(now, retention.entryKept(false))))
                    : Optional.empty();
        }
    }

    /// The holder of a claim needs it for longer. A claim whose lease is over is not renewed, swept or not.
    ///
    /// @param lease from now on
    record Renew(Duration lease) implements Transition {
        @Override
        public Optional<Entry> applyTo(Entry before, long attempt, Instant now) {
            return before.state() == State.CLAIMED && before.attempt() == attempt && !before.leaseOver(now)
                    ? Optional.of(before.renewed(now.plus(lease)))
                    : Optional.empty();
        }
    }

    /// Lookup or verdict: the effect happened. Writes an attempt id of its own, so that a late record does not take it for
    /// its own (G5).
    ///
    /// @param own the settler's attempt id, random
    /// @param status null: not known
    /// @param headers what is replayed
    /// @param body null: repeats get 410
    /// @param settler `lookup` or `verdict`
    /// @param reason for the history
    /// @param by who, for the history: an operator's name, or the settler
    /// @param retention how long it is kept
    record Executed(
            long own, @Nullable Integer status, Headers headers, @Nullable Body body, String settler, String reason,
            String by, Retention retention) implements Transition {

        /// By the settler itself.
        public Executed(
                long own, @Nullable Integer status, Headers headers, @Nullable Body body, String settler, String reason,
                Retention retention) {
            this(own, status, headers, body, settler, reason, settler, retention);
        }

        @Override
        public Optional<Entry> applyTo(Entry before, long attempt, Instant now) {
            return before.state() == State.IN_DOUBT && before.attempt() == attempt
                    ? Optional.of(before.recorded(own, status, false, settler, now, after(now, retention.entry())))
                    : Optional.empty();
        }
    }

    /// Lookup or verdict: nothing happened. Believed only where the look began after everything on its way must have
    /// arrived (G4), and not while a repeat would still be deduplicated. The attempt stays, so that its late response still
    /// finds the row (G5, G18).
    ///
    /// @param asOf when the look began, by the ledger's clock
    /// @param settleDelay how long after the lease's end something may still arrive
    /// @param deduplicates the downstream's window; null: none
    /// @param timeout the route's
    /// @param settler `lookup` or `verdict`
    /// @param reason for the history
    /// @param by who, for the history: an operator's name, or the settler
    record NotExecuted(
            Instant asOf, Duration settleDelay, @Nullable Duration deduplicates, Duration timeout, String settler,
            String reason, String by) implements Transition {

        /// By the settler itself.
        public NotExecuted(
                Instant asOf, Duration settleDelay, @Nullable Duration deduplicates, Duration timeout, String settler,
                String reason) {
            this(asOf, settleDelay, deduplicates, timeout, settler, reason, settler);
        }

        @Override
        public Optional<Entry> applyTo(Entry before, long attempt, Instant now) {
            boolean lateEnough = !before.leaseUntil().plus(settleDelay).isAfter(asOf) && !asOf.isAfter(now);
            boolean windowOver = deduplicates == null
                    || now.plus(timeout).isAfter(before.firstForwardAt().plus(deduplicates));
            return before.state() == State.IN_DOUBT && before.attempt() == attempt && lateEnough && windowOver
                    ? Optional.of(before.released(new Cause(settler)))
                    : Optional.empty();
        }
    }

    private static @Nullable Instant after(Instant now, @Nullable Duration kept) {
        return kept == null ? null : now.plus(kept);
    }
}

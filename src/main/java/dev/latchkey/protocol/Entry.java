package dev.latchkey.protocol;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// One row of the ledger: one client's one key. A snapshot, immutable.
///
/// @param id names the entry in paths
/// @param client the owner, by its oldest name
/// @param key the idempotency key's text; blank once erased
/// @param route the route's name when it was claimed
/// @param method of the request
/// @param target path and query, for people and for telling what differs; blank once erased
/// @param fingerprint of the request
/// @param correction recorded rejections before this request; part of the downstream key
/// @param sentAs how the downstream key was sent
/// @param state where it stands
/// @param attempt fences every transition
/// @param attempts claims of this generation; more than one: a re-forward
/// @param claimedAt when this attempt claimed it
/// @param firstForwardAt when this generation was claimed first; the downstream's window counts from here
/// @param leaseUntil when the claim ends, by the ledger's clock
/// @param inDoubtSince set once doubtful, kept over re-forwards and settling (G20)
/// @param cause why it is, or was last, in doubt or released
/// @param recordedAt when it was recorded
/// @param expiresAt when the entry goes; null: never
/// @param status recorded status, or that of the response that left it in doubt
/// @param rejection recorded with a 4xx of a first forward: nothing took effect
/// @param settledBy `lookup` or `verdict`, where one of them recorded it
/// @param erased key, target and response were blanked
/// @param releasedOnExpiry whether the end of its lease releases the key instead of leaving it in doubt: its holder
///     said that repeating is harmless
public record Entry(
        EntryId id,
        String client,
        String key,
        String route,
        String method,
        String target,
        Fingerprint fingerprint,
        int correction,
        SentAs sentAs,
        State state,
        long attempt,
        int attempts,
        Instant claimedAt,
        Instant firstForwardAt,
        Instant leaseUntil,
        @Nullable Instant inDoubtSince,
        @Nullable Cause cause,
        @Nullable Instant recordedAt,
        @Nullable Instant expiresAt,
        @Nullable Integer status,
        boolean rejection,
        @Nullable String settledBy,
        boolean erased,
        boolean releasedOnExpiry) {

    /// Whether a forward before this attempt's may have taken effect.
    public boolean isReforward() {
        return attempts > 1;
    }

    /// Whether the claim's lease is over.
    public boolean leaseOver(Instant now) {
        return state == State.CLAIMED && leaseUntil.isBefore(now);
    }

    /// Whether a recorded entry is past its retention: the key is free.
    public boolean pastRetention(Instant now) {
        return state == State.RECORDED && expiresAt != null && !expiresAt.isAfter(now);
    }

    /// Whether a forward that may take as long as the route allows still arrives while the downstream remembers (G13).
    public boolean windowOpen(Route route, Instant now) {
        Duration window = route.deduplicates();
        return window != null && !now.plus(route.timeout()).isAfter(firstForwardAt.plus(window));
    }

    /// The same entry in doubt (G20: the time is set once).
    Entry doubted(Cause why, @Nullable Integer answered, Instant now) {
        return new Entry(
                id, client, key, route, method, target, fingerprint, correction, sentAs, State.IN_DOUBT, attempt,
                attempts,
                claimedAt, firstForwardAt, leaseUntil, inDoubtSince == null ? now : inDoubtSince, why, null, null,
                answered,
                false, null, erased, releasedOnExpiry);
    }

    /// The same entry erased: its row stays (G15).
    public Entry blanked() {
        return new Entry(
                id, client, "", route, method, "", fingerprint, correction, sentAs, state, attempt, attempts, claimedAt,
                firstForwardAt, leaseUntil, inDoubtSince, cause, recordedAt, expiresAt, status, rejection, settledBy,
                true, releasedOnExpiry);
    }

    /// The same entry released; attempt and correction number stay (G18, G19).
    Entry released(Cause why) {
        return new Entry(
                id, client, key, route, method, target, fingerprint, correction, sentAs, State.RELEASED, attempt,
                attempts,
                claimedAt, firstForwardAt, leaseUntil, inDoubtSince, why, null, null, null, false, null, erased,
                releasedOnExpiry);
    }

    /// The same entry recorded.
    Entry recorded(
            long by, @Nullable Integer answered, boolean rejected, @Nullable String settler, Instant now,
            @Nullable Instant expiry) {
        return new Entry(
                id, client, key, route, method, target, fingerprint, correction, sentAs, State.RECORDED, by, attempts,
                claimedAt, firstForwardAt, leaseUntil, inDoubtSince, cause, now, expiry, answered, rejected, settler,
                erased, releasedOnExpiry);
    }

    /// The same claim with another end of its lease.
    Entry renewed(Instant until) {
        return new Entry(
                id, client, key, route, method, target, fingerprint, correction, sentAs, state, attempt, attempts,
                claimedAt, firstForwardAt, until, inDoubtSince, cause, recordedAt, expiresAt, status, rejection,
                settledBy, erased, releasedOnExpiry);
    }
}

package dev.latchkey.protocol;

import java.util.List;

/// What a caller asks for under a key.
///
/// @param id the entry that the key names
/// @param client the owner, by its oldest name
/// @param key the idempotency key
/// @param route the route's policy
/// @param fingerprint of the request
/// @param digest tells what the fingerprint would be under another method and target
/// @param method of the request
/// @param target path and query as sent
public record Ask(
        EntryId id, String client, IdempotencyKey key, Route route, Fingerprint fingerprint, RequestDigest digest,
        String method, String target) {

    /// Whether a stored fingerprint was made in a way that this replica knows: else nobody here can say whether it is this
    /// request's.
    boolean comparesWith(Fingerprint stored) {
        return fingerprint.isMadeLike(stored) || digest.like(stored, method, target).isPresent();
    }

    /// Whether a stored fingerprint is this request's, however it was made.
    public boolean isFor(Fingerprint stored) {
        return fingerprint.isMadeLike(stored)
                ? fingerprint.equals(stored)
                : digest.like(stored, method, target).filter(stored::equals).isPresent();
    }

    /// This request's fingerprint, made in every way that a stored one may have been.
    public List<Fingerprint> fingerprints() {
        return digest.all(method, target);
    }
}

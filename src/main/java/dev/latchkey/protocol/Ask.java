package dev.latchkey.protocol;

/// What a caller asks for under a key.
///
/// @param id the entry that the key names
/// @param client the owner, by its oldest name
/// @param key the idempotency key
/// @param route the route's policy
/// @param digest of the request; gives its fingerprint, and what it would be under another method and target
/// @param method of the request
/// @param target path and query as sent
public record Ask(
        EntryId id, String client, IdempotencyKey key, Route route, RequestDigest digest, String method, String target) {

    /// The request's fingerprint.
    public Fingerprint fingerprint() {
        return digest.at(method, target);
    }
}

package dev.latchkey.protocol;

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
        String method, String target) {}

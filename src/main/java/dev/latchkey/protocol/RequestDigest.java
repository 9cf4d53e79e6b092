package dev.latchkey.protocol;

/// A request's digest without method and target (placeholder until its own change lands).
public interface RequestDigest {
    Fingerprint at(String method, String target);
}

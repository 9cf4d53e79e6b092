package dev.latchkey.protocol;

import dev.latchkey.http.Body;

/// Digest of what was asked (placeholder until its own change lands).
public record Fingerprint(Body value) {
    public static Fingerprint of(byte[] bytes) {
        return new Fingerprint(Body.of(bytes));
    }

    public int version() {
        return value.bytes()[0];
    }

    public byte[] bytes() {
        return value.bytes();
    }
}

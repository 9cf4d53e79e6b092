package dev.latchkey.protocol;

import dev.latchkey.http.Body;

/// How the downstream key is sent (placeholder until its own change lands).
public record SentAs(Body value) {
    public static SentAs of(byte[] bytes) {
        return new SentAs(Body.of(bytes));
    }

    public byte[] bytes() {
        return value.bytes();
    }
}

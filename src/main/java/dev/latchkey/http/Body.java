package dev.latchkey.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The bytes of a message's content, compared by value. Nobody may change the array after it was handed over: it is not
/// copied. With that, safe for any number of threads.
public final class Body {

    private static final Body EMPTY = new Body(new byte[0]);

    private final byte[] bytes;

    private Body(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Body empty() {
        return EMPTY;
    }

    /// Wraps the array without a copy.
    public static Body of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Body(bytes);
    }

    public static Body ofUtf8(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The array itself, not a copy.
    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return bytes.length;
    }

    public boolean isEmpty() {
        return bytes.length == 0;
    }

    /// The bytes read as UTF-8, for tests and for text that we wrote.
    public String utf8() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Body body && Arrays.equals(bytes, body.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// The length only: a body must never reach a log.
    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}

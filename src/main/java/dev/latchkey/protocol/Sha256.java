package dev.latchkey.protocol;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// A SHA-256 over fields, each after its length in four bytes, so that no two lists of fields give the same input. Texts
/// are taken as `ByteBuilder.encode` writes them. For one thread, and finished once.
final class Sha256 {

    static final int LENGTH = 32;

    /// Copied, which costs less than to ask the platform's providers each time. Never used itself.
    private static final MessageDigest FRESH = fresh();

    private final MessageDigest digest;

    Sha256() {
        try {
            digest = (MessageDigest) FRESH.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("this platform's SHA-256 cannot be copied", e);
        }
    }

    private static MessageDigest fresh() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    Sha256 text(String text) {
        return field(ByteBuilder.encode(text));
    }

    Sha256 field(byte[] bytes) {
        return field(bytes, 0, bytes.length);
    }

    Sha256 field(byte[] bytes, int from, int to) {
        return number(to - from).plain(bytes, from, to);
    }

    /// Four bytes, big end first.
    Sha256 number(int number) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            digest.update((byte) (number >> shift));
        }
        return this;
    }

    /// Bytes without a length before them.
    Sha256 plain(byte[] bytes, int from, int to) {
        digest.update(bytes, from, to - from);
        return this;
    }

    byte[] finish() {
        return digest.digest();
    }
}

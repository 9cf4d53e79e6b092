package dev.latchkey.protocol;

import dev.latchkey.http.Request;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;

/// The digest of what was asked (contract §4): a version byte and 32 bytes, either of SHA-256, or a key's tag and 28 bytes of
/// a keyed code of it. Two that are made alike are equal exactly when the contract calls the requests the same. Immutable.
public final class Fingerprint {

    /// A plain digest.
    public static final int VERSION = 1;
    /// A keyed code of that digest.
    public static final int KEYED = 2;

    private static final int LENGTH = 1 + Sha256.LENGTH;
    private static final int TAG_END = 1 + Integer.BYTES;

    private final byte[] bytes;

    private Fingerprint(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Takes a request's fingerprint.
    ///
    /// @param sizeLimit the most bytes that a compressed body may have when decoded
    public static Fingerprinting of(Request request, FingerprintPolicy policy, long sizeLimit) {
        return of(request, policy, FingerprintKeys.NONE, sizeLimit);
    }

    /// Takes a request's fingerprint by the first of these keys.
    ///
    /// @param sizeLimit the most bytes that a compressed body may have when decoded
    public static Fingerprinting of(
            Request request, FingerprintPolicy policy, FingerprintKeys keys, long sizeLimit) {
        return RequestDigest.of(request, policy, keys, sizeLimit);
    }

    /// What the ledger kept, of any version.
    ///
    /// @throws IllegalArgumentException unless there are 33 bytes
    public static Fingerprint of(byte[] bytes) {
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("a fingerprint has " + LENGTH + " bytes, not " + bytes.length);
        }
        return new Fingerprint(bytes.clone());
    }

    static Fingerprint ofDigest(byte[] digest) {
        byte[] bytes = new byte[LENGTH];
        bytes[0] = VERSION;
        System.arraycopy(digest, 0, bytes, 1, Sha256.LENGTH);
        return new Fingerprint(bytes);
    }

    /// @param code at least 28 bytes
    static Fingerprint ofCode(int tag, byte[] code) {
        byte[] bytes = new byte[LENGTH];
        ByteBuffer.wrap(bytes).put((byte) KEYED).putInt(tag).put(code, 0, LENGTH - TAG_END);
        return new Fingerprint(bytes);
    }

    /// Whether the same algorithm and key made them: else they cannot be compared.
    boolean isMadeLike(Fingerprint other) {
        int told = version() == KEYED ? TAG_END : 1;
        return Arrays.equals(bytes, 0, told, other.bytes, 0, told);
    }

    /// Which algorithm made it.
    public int version() {
        return bytes[0] & 0xFF;
    }

    /// A copy of the 33 bytes.
    public byte[] bytes() {
        return bytes.clone();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Fingerprint fingerprint && Arrays.equals(bytes, fingerprint.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /// The version and the first four bytes: enough to tell two apart, too little to guess a short body from.
    @Override
    public String toString() {
        return "fingerprint " + version() + ":" + HexFormat.of().formatHex(bytes, 1, 5) + "…";
    }
}

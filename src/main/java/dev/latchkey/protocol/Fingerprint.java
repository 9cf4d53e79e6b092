package dev.latchkey.protocol;

import dev.latchkey.http.Request;
import java.util.Arrays;
import java.util.HexFormat;

/// The digest of what was asked (contract §4): a version byte and 32 bytes of SHA-256. Two of the same version are equal
/// exactly when the contract calls the requests the same. Immutable.
public final class Fingerprint {

    /// The version that this program makes.
    public static final int VERSION = 1;

    private static final int LENGTH = 1 + Sha256.LENGTH;

    private final byte[] bytes;

    private Fingerprint(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Takes a request's fingerprint.
    ///
    /// @param sizeLimit the most bytes that a compressed body may have when decoded
    public static Fingerprinting of(Request request, FingerprintPolicy policy, long sizeLimit) {
        return RequestDigest.of(request, policy, sizeLimit);
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

    /// Which algorithm made it. One of another version than `VERSION` cannot be compared with ours.
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

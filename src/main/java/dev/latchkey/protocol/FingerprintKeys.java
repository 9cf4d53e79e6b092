package dev.latchkey.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The keys that fingerprints are made with, so that nobody who reads the ledger finds out a short body by trying. The first
/// makes them; the others, and none at all, are there to compare with those that were made so before. Immutable.
public final class FingerprintKeys {

    /// Fingerprints are plain digests.
    public static final FingerprintKeys NONE = new FingerprintKeys(List.of());

    private final List<Key> keys;

    /// @param keys the first one makes fingerprints
    public FingerprintKeys(List<Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /// One key.
    ///
    /// @param tag names it in fingerprints
    /// @param code makes a code of at least 28 bytes of a digest, by a key that stays with its owner
    public record Key(int tag, UnaryOperator<byte[]> code) {}

    Fingerprint first(byte[] digest) {
        return keys.isEmpty() ? Fingerprint.ofDigest(digest) : keyed(keys.getFirst(), digest);
    }

    /// The digest's fingerprint, made as the other one was; empty: nobody here can make it so.
    Optional<Fingerprint> like(Fingerprint other, byte[] digest) {
        return all(digest).stream().filter(other::isMadeLike).findFirst();
    }

    /// The digest's fingerprint in every way.
    List<Fingerprint> all(byte[] digest) {
        List<Fingerprint> all = new ArrayList<>();
        keys.forEach(key -> all.add(keyed(key, digest)));
        all.add(Fingerprint.ofDigest(digest));
        return all;
    }

    private static Fingerprint keyed(Key key, byte[] digest) {
        return Fingerprint.ofCode(key.tag(), key.code().apply(digest));
    }
}

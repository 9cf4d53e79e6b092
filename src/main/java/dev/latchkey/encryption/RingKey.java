package dev.latchkey.encryption;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/// One key of an encrypted ledger. For each use another key is made of it (HKDF, RFC 5869), so that none tells anything of
/// another. Never shown by `toString`. Safe for any number of threads.
public final class RingKey {

    /// How long a key is.
    public static final int LENGTH = 32;

    private static final int CHECK = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String id;
    private final byte[] check;
    private final SecretKeySpec fingerprints;
    private final Xaes256Gcm values;

    /// @param id what people call it
    /// @param key 32 random bytes
    /// @throws IllegalArgumentException for another number of bytes
    public RingKey(String id, byte[] key) {
        if (key.length != LENGTH) {
            throw new IllegalArgumentException("a key has " + LENGTH + " bytes, not " + key.length);
        }
        this.id = id;
        this.check = made(key, "latchkey check 1", CHECK);
        this.fingerprints = new SecretKeySpec(made(key, "latchkey fingerprints 1", LENGTH), "HmacSHA256");
        this.values = new Xaes256Gcm(made(key, "latchkey values 1", LENGTH));
    }

    private static byte[] made(byte[] key, String use, int length) {
        try {
            return KDF.getInstance("HKDF-SHA256")
                    .deriveData(HKDFParameterSpec.ofExtract().addIKM(key)
                            .thenExpand(use.getBytes(StandardCharsets.US_ASCII), length));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HKDF", e);
        }
    }

    public String id() {
        return id;
    }

    /// Says that it is this key, and nothing else about it.
    public byte[] check() {
        return check.clone();
    }

    /// Names the key in what is made with it: the first four bytes of the check.
    public int tag() {
        return ByteBuffer.wrap(check).getInt();
    }

    /// The keyed code (HMAC-SHA-256) of a request's digest.
    public byte[] code(byte[] digest) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(fingerprints);
            return mac.doFinal(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
        }
    }

    /// Encrypts.
    ///
    /// @param place where the value will lie: it opens nowhere else
    byte[] seal(byte[] plain, byte[] place) {
        byte[] nonce = new byte[Xaes256Gcm.NONCE];
        RANDOM.nextBytes(nonce);
        byte[] sealed = values.seal(nonce, plain, place);
        return ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed).array();
    }

    /// Decrypts.
    ///
    /// @throws GeneralSecurityException when it was not sealed with this key for this place, or was changed since
    byte[] open(byte[] sealed, byte[] place) throws GeneralSecurityException {
        if (sealed.length < Xaes256Gcm.NONCE) {
            throw new GeneralSecurityException("cut short");
        }
        byte[] nonce = Arrays.copyOf(sealed, Xaes256Gcm.NONCE);
        return values.open(nonce, Arrays.copyOfRange(sealed, Xaes256Gcm.NONCE, sealed.length), place);
    }

    @Override
    public String toString() {
        return "key " + id;
    }
}

package dev.latchkey.encryption;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The keys of an encrypted ledger: the first encrypts, all decrypt. Empty: nothing is encrypted. Immutable.
///
/// An encrypted value is the mark CR LF, the number of this form, the key's tag, a nonce, and ciphertext with its own tag.
/// No line of header fields begins with CR LF, and a program that knows of no encryption fails at it instead of reading on.
public final class KeyRing {

    /// No keys.
    public static final KeyRing NONE = new KeyRing(List.of());

    private static final byte[] MARK = {'\r', '\n', 1};
    private static final int HEAD = MARK.length + Integer.BYTES;

    private final List<RingKey> keys;
    private final Map<Integer, RingKey> byTag = new LinkedHashMap<>();

    /// @param keys the first one encrypts
    public KeyRing(List<RingKey> keys) {
        this.keys = List.copyOf(keys);
        this.keys.forEach(key -> byTag.putIfAbsent(key.tag(), key));
    }

    public List<RingKey> keys() {
        return keys;
    }

    public boolean isEmpty() {
        return keys.isEmpty();
    }

    /// Encrypts, where there is a key; else the value itself.
    ///
    /// @param place where the value will lie: it opens nowhere else
    public byte[] seal(byte[] plain, byte[] place) {
        if (isEmpty()) {
            return plain;
        }
        RingKey key = keys.getFirst();
        byte[] sealed = key.seal(plain, place);
        return ByteBuffer.allocate(HEAD + sealed.length).put(MARK).putInt(key.tag()).put(sealed).array();
    }

    /// Whether a value is an encrypted one: only of values that cannot begin with the mark by themselves.
    public static boolean isSealed(byte[] value) {
        return value.length >= 2 && value[0] == MARK[0] && value[1] == MARK[1];
    }

    /// Decrypts.
    ///
    /// @param place where the value lies
    /// @throws Unreadable when there is no such key, or the value was changed or moved
    public byte[] open(byte[] sealed, byte[] place) throws Unreadable {
        if (sealed.length < HEAD || !Arrays.equals(sealed, 0, MARK.length, MARK, 0, MARK.length)) {
            throw new Unreadable("it is in no form that this program knows", null);
        }
        RingKey key = byTag.get(ByteBuffer.wrap(sealed).getInt(MARK.length));
        if (key == null) {
            throw new Unreadable("the settings do not have its key", null);
        }
        try {
            return key.open(Arrays.copyOfRange(sealed, HEAD, sealed.length), place);
        } catch (GeneralSecurityException e) {
            throw new Unreadable("it was changed, or moved from another place", e);
        }
    }

    /// An encrypted value cannot be read here. The message says why, and nothing of the value.
    public static final class Unreadable extends Exception {

        private static final long serialVersionUID = 1L;

        Unreadable(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}

package dev.latchkey.config;

import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One item of `ledger.encryption.keys`.
///
/// @param id what people and the ledger call it
/// @param key 32 bytes in base64
public record EncryptionKey(String id, SecretText key) {

    static final int LENGTH = 32;

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,32}");

    public EncryptionKey {
        new Checks()
                .add("id", checkId(id))
                .that(
                        isKey(key.get()),
                        "key",
                        "this is not a key; write 32 random bytes in base64, as `openssl rand -base64 32` prints them")
                .done();
        key = key.onlyIf(EncryptionKey::isKey);
    }

    /// The key itself.
    public byte[] bytes() {
        return Base64.getDecoder().decode(key.get());
    }

    static @Nullable String checkId(String id) {
        return ID.matcher(id).matches()
                ? null
                : Quoted.of(id)
                        + " is not the id of a key; write 1 to 32 letters, digits, dots, hyphens and underlines,"
                        + " as in 2026-11";
    }

    private static boolean isKey(String text) {
        try {
            return Base64.getDecoder().decode(text).length == LENGTH;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}

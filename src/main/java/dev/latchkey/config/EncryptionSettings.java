package dev.latchkey.config;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// `ledger.encryption`.
///
/// @param keys the first one encrypts, all decrypt; none: nothing is encrypted
/// @param retired ids of keys that are given up, with what they encrypted
public record EncryptionSettings(List<EncryptionKey> keys, List<String> retired) {

    public EncryptionSettings {
        keys = List.copyOf(keys);
        retired = List.copyOf(retired);
        Checks checks = new Checks();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < keys.size(); i++) {
            EncryptionKey key = keys.get(i);
            String name = "keys[" + i + "]";
            checks.that(ids.add(key.id()), name + ".id",
                    Quoted.of(key.id()) + " is given twice; each key has its own id");
            checks.that(
                    keys.subList(0, i).stream().noneMatch(other -> Arrays.equals(other.bytes(), key.bytes())),
                    name + ".key",
                    "this is the key before it, under another id; make a new one with `openssl rand -base64 32`");
        }
        for (String id : retired) {
            checks.add("retired", EncryptionKey.checkId(id));
            checks.that(
                    !ids.contains(id), "retired", Quoted.of(id) + " is among keys, too; remove it here or there");
        }
        checks.done();
    }

    /// Nothing is encrypted.
    public static EncryptionSettings none() {
        return new EncryptionSettings(List.of(), List.of());
    }
}

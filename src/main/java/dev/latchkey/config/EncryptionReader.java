package dev.latchkey.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns `ledger.encryption` into its record.
final class EncryptionReader {

    private EncryptionReader() {}

    static EncryptionSettings read(Section section) {
        List<EncryptionKey> keys = new ArrayList<>();
        boolean whole = true;
        for (Section item : section.sections("keys")) {
            EncryptionKey key = key(item);
            whole &= key != null && keys.add(key);
        }
        List<String> retired = section.texts("retired");
        List<EncryptionKey> read = whole ? keys : List.of();
        return section.checked(() -> new EncryptionSettings(read, retired), EncryptionSettings::none);
    }

    private static @Nullable EncryptionKey key(Section item) {
        String id = item.textOrNull("id");
        SecretText key = item.secret("key");
        if (id == null && !item.has("id")) {
            item.problem("id", "this is missing; write what the key is called, as in 2026-11");
        }
        if (key == null && !item.has("key")) {
            item.problem("key", "this is missing; write \"${file:/run/secrets/...}\", a file with 32 bytes in base64");
        }
        return item.<@Nullable EncryptionKey>checked(
                () -> id == null || key == null ? null : new EncryptionKey(id, key), () -> null);
    }
}

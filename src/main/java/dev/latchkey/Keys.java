package dev.latchkey;

import dev.latchkey.config.EncryptionSettings;
import dev.latchkey.config.Settings;
import dev.latchkey.encryption.KeyRing;
import dev.latchkey.encryption.RingKey;
import dev.latchkey.postgres.PostgresSettings;
import dev.latchkey.protocol.FingerprintKeys;
import java.util.Set;

/// Makes keys of settings.
final class Keys {

    private Keys() {}

    static PostgresSettings.Encryption encryption(Settings settings) {
        EncryptionSettings encryption = settings.ledger().encryption();
        return new PostgresSettings.Encryption(ring(encryption), Set.copyOf(encryption.retired()));
    }

    static FingerprintKeys fingerprints(Settings settings) {
        return new FingerprintKeys(ring(settings.ledger().encryption()).keys().stream()
                .map(key -> new FingerprintKeys.Key(key.tag(), key::code))
                .toList());
    }

    private static KeyRing ring(EncryptionSettings encryption) {
        return new KeyRing(
                encryption.keys().stream().map(key -> new RingKey(key.id(), key.bytes())).toList());
    }
}

package dev.latchkey.protocol;

import java.util.Optional;
import java.util.UUID;

/// Names an entry (placeholder until its own change lands).
public record EntryId(UUID uuid) {
    public static EntryId of(String client, IdempotencyKey key) {
        return new EntryId(UUID.nameUUIDFromBytes((client + "/" + key.text()).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    public static Optional<EntryId> parse(String text) {
        return Optional.of(new EntryId(UUID.fromString(text)));
    }

    @Override
    public String toString() {
        return uuid.toString();
    }
}

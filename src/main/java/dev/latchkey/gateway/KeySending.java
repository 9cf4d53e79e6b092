package dev.latchkey.gateway;

import dev.latchkey.protocol.DownstreamKey;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.IdempotencyKey;
import org.jspecify.annotations.Nullable;

/// How a route sends the key downstream.
///
/// @param value what is sent
/// @param header under which name
/// @param quoted as a structured-field string, or bare
public record KeySending(Value value, String header, boolean quoted) {

    /// What the downstream is sent.
    public enum Value {
        /// Made from client, key and correction number.
        DERIVED,
        /// The caller's own.
        AS_SENT,
        /// Nothing.
        NONE
    }

    /// The key that the entry's forwards carry, bare; null: none. The same for every forward of a generation.
    public @Nullable String keyOf(Entry entry) {
        if (value == Value.NONE || entry.erased()) {
            return null;
        }
        IdempotencyKey key = IdempotencyKey.of(entry.key());
        return value == Value.AS_SENT ? key.text() : DownstreamKey.derive(entry.client(), key, entry.correction());
    }

    /// The field value that carries it; null: none.
    @Nullable
    String fieldOf(Entry entry) {
        String key = keyOf(entry);
        return key == null || !quoted ? key : IdempotencyKey.of(key).structured();
    }
}

package dev.latchkey.postgres;

import dev.latchkey.protocol.Entry;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.UUID;

/// Where a page of a list ended. Its text is opaque to callers.
///
/// @param claimedAt of the last entry
/// @param id of the last entry
record PagePlace(Instant claimedAt, UUID id) {

    private static final int LENGTH = 24;

    static PagePlace of(Entry last) {
        return new PagePlace(last.claimedAt(), last.id().uuid());
    }

    /// @throws IllegalArgumentException for a text that no page has given
    static PagePlace parse(String text) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(text));
        if (bytes.remaining() != LENGTH) {
            throw new IllegalArgumentException("this is not the `next` of a page");
        }
        Instant claimedAt = Instant.EPOCH.plus(bytes.getLong(), ChronoUnit.MICROS);
        return new PagePlace(claimedAt, new UUID(bytes.getLong(), bytes.getLong()));
    }

    String text() {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH)
                .putLong(ChronoUnit.MICROS.between(Instant.EPOCH, claimedAt))
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
    }
}

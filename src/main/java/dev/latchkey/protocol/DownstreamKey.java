package dev.latchkey.protocol;

import java.nio.ByteBuffer;
import java.util.UUID;

/// Makes the key that a downstream is sent where a route derives it (contract §10). No state.
public final class DownstreamKey {

    private static final String DOMAIN = "latchkey downstream key 1";

    private DownstreamKey() {}

    /// A UUID's text of 36 characters, which fits every provider's limit: made by SHA-256 over client, key and the
    /// correction's number, marked as version 8 ("custom", RFC 9562 §5.8) for providers that look. The same for the same
    /// three, and different in practice for any others.
    ///
    /// @param client the client's oldest name
    /// @param correction the recorded rejections before this request
    public static String derive(String client, IdempotencyKey key, int correction) {
        byte[] digest = new Sha256()
                .text(DOMAIN)
                .text(client)
                .text(key.text())
                .number(correction)
                .finish();
        ByteBuffer bytes = ByteBuffer.wrap(digest);
        long high = (bytes.getLong() & ~0xF000L) | 0x8000L;
        long low = (bytes.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low).toString();
    }
}

package dev.latchkey.testing;

import dev.latchkey.http.Headers;
import java.nio.charset.StandardCharsets;

/// One request that the downstream received whole (or up to where its step told it to stop reading). Every one of them
/// counts as an effect.
///
/// @param connection the number of the connection it came on, from 1
/// @param method as sent
/// @param target path and query as sent
/// @param headers every field line as sent, one character a byte
/// @param body the content, without chunked framing
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Received(int connection, String method, String target, Headers headers, byte[] body) {

    /// The target without its query.
    public String path() {
        int mark = target.indexOf('?');
        return mark < 0 ? target : target.substring(0, mark);
    }

    /// The downstream key as it was sent, or an empty text.
    public String key() {
        return headers.first("Idempotency-Key").orElse("");
    }

    public String header(String name) {
        return headers.first(name).orElse("");
    }

    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }
}

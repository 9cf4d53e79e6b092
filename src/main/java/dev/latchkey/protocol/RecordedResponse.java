package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What the ledger keeps of a response. Its status is the entry's.
///
/// @param headers the fields that are replayed
/// @param body null where it was over the cap or a verdict gave none: it was never kept
/// @param expiresAt when the response goes; null: with its entry
/// @param unreadable it is kept, encrypted, and cannot be read here; then there is nothing of it in the others
public record RecordedResponse(
        Headers headers, @Nullable Body body, @Nullable Instant expiresAt, boolean unreadable) {

    /// One that can be read.
    public RecordedResponse(Headers headers, @Nullable Body body, @Nullable Instant expiresAt) {
        this(headers, body, expiresAt, false);
    }

    /// One that cannot be read here.
    public static RecordedResponse unreadable(@Nullable Instant expiresAt) {
        return new RecordedResponse(Headers.empty(), null, expiresAt, true);
    }

    /// Whether it can still be replayed.
    public boolean replayable(Instant now) {
        return body != null && (expiresAt == null || expiresAt.isAfter(now));
    }
}

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
public record RecordedResponse(Headers headers, @Nullable Body body, @Nullable Instant expiresAt) {

    /// Whether it can still be replayed.
    public boolean replayable(Instant now) {
        return body != null && (expiresAt == null || expiresAt.isAfter(now));
    }
}

package dev.latchkey.protocol;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// How long what is recorded stays, counted from when it was recorded. Null: for ever.
///
/// @param response the recorded response
/// @param entry key, fingerprint and status
/// @param rejection an entry that holds a rejection, whole
public record Retention(@Nullable Duration response, @Nullable Duration entry, @Nullable Duration rejection) {

    /// The defaults: 90 days, for ever, an hour.
    public static Retention usual() {
        return new Retention(Duration.ofDays(90), null, Duration.ofHours(1));
    }

    /// How long the entry stays.
    public @Nullable Duration entryKept(boolean isRejection) {
        return isRejection ? rejection : entry;
    }

    /// How long the response stays: never longer than its entry.
    public @Nullable Duration responseKept(boolean isRejection) {
        Duration entryKept = entryKept(isRejection);
        if (response == null || entryKept == null) {
            return response == null ? entryKept : response;
        }
        return response.compareTo(entryKept) < 0 ? response : entryKept;
    }
}

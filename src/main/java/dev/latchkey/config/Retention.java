package dev.latchkey.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// `routes[].retention`: how long what is recorded is kept. Null: for ever.
///
/// @param response the response
/// @param entry key, fingerprint and status; never shorter than the response
/// @param rejection an entry recorded with a rejection
public record Retention(@Nullable Duration response, @Nullable Duration entry, @Nullable Duration rejection) {

    public Retention {
        Checks checks = new Checks();
        if (response != null) {
            checks.positive(response, "response");
        }
        if (entry != null) {
            checks.positive(entry, "entry")
                    .that(
                            response != null && response.compareTo(entry) <= 0,
                            "response",
                            "a response kept " + text(response) + " would outlive its entry, which is kept "
                                    + text(entry) + "; write at most that");
        }
        if (rejection != null) {
            checks.atLeast(rejection, Duration.ZERO, "rejection");
        }
        checks.done();
    }

    public static Retention defaults() {
        return new Retention(Duration.ofDays(90), null, Duration.ofHours(1));
    }

    private static String text(@Nullable Duration duration) {
        return duration == null ? DurationText.FOREVER : DurationText.format(duration);
    }
}

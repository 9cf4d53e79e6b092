package dev.latchkey.server;

import dev.latchkey.http.Headers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads `Prefer` (RFC 7240 §2): several lines and lists are one; the first `wait` counts; what cannot be read, or is not
/// known, is ignored, as that document asks.
final class Prefer {

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
    private static final String QUOTED = "\"(?:[^\"\\\\]|\\\\.)*+\"";
    private static final Pattern PREFERENCE = Pattern.compile(
            "\\s*(?<name>" + TOKEN + ")(?:\\s*=\\s*(?<value>" + TOKEN + "|" + QUOTED + "))?(?<rest>(?:" + QUOTED
                    + "|[^,\"])*+)(?:,|$)");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

    private Prefer() {}

    /// How long the caller prefers to wait, and at most the longest; null: it does not say, or not so that it can be read.
    static @Nullable Duration waitIn(Headers fields, Duration longest) {
        return waitIn(fields.all("Prefer"))
                .map(asked -> asked.compareTo(longest) < 0 ? asked : longest)
                .orElse(null);
    }

    /// How long the caller prefers to wait; empty: it does not say, or not so that it can be read.
    static Optional<Duration> waitIn(List<String> lines) {
        Matcher preference = PREFERENCE.matcher(String.join(",", lines));
        while (preference.find()) {
            if (preference.group("name").equalsIgnoreCase("wait")) {
                return seconds(preference.group("value"));
            }
        }
        return Optional.empty();
    }

    private static Optional<Duration> seconds(String value) {
        if (value == null) {
            return Optional.empty();
        }
        String bare = value.startsWith("\"") ? value.substring(1, value.length() - 1) : value;
        return SECONDS.matcher(bare).matches()
                ? Optional.of(Duration.ofSeconds(Long.parseLong(bare)))
                : Optional.empty();
    }
}

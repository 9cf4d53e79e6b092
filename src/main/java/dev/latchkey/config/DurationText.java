package dev.latchkey.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Durations as settings write them: `250ms`, `20s`, `5m`, `24h`, `90d`.
public final class DurationText {

    static final String FOREVER = "forever";
    static final Duration LONGEST = Duration.ofDays(36_500);

    private static final Pattern SHAPE = Pattern.compile("(0|[1-9][0-9]{0,14})(ms|s|m|h|d)");
    private static final String ALLOWED = "write 250ms, 20s, 5m, 24h or 90d";

    private DurationText() {}

    /// Reads one that ends.
    ///
    /// @throws IllegalArgumentException saying what is allowed
    public static Duration parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    text.equals(FOREVER)
                            ? "this one must end: forever is not allowed; " + ALLOWED
                            : Quoted.of(text) + " is not a duration; " + ALLOWED);
        }
        long count = Long.parseLong(matcher.group(1));
        Duration unit = unit(matcher.group(2));
        if (count > LONGEST.toMillis() / unit.toMillis()) {
            throw new IllegalArgumentException(Quoted.of(text) + " is too long; write at most " + format(LONGEST));
        }
        return unit.multipliedBy(count);
    }

    /// The shortest way to write it.
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        for (String unit : new String[] {"d", "h", "m", "s"}) {
            long size = unit(unit).toMillis();
            if (millis % size == 0 && millis >= size) {
                return millis / size + unit;
            }
        }
        return millis == 0 ? "0s" : millis + "ms";
    }

    private static Duration unit(String name) {
        return switch (name) {
            case "ms" -> Duration.ofMillis(1);
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            default -> Duration.ofDays(1);
        };
    }
}

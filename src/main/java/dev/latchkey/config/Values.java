package dev.latchkey.config;

import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads single values as people write them. Each throws `IllegalArgumentException` saying what is allowed.
final class Values {

    private static final Pattern WHOLE = Pattern.compile("0|[1-9][0-9]{0,8}");

    private Values() {}

    static int whole(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    Quoted.of(text) + " is not a whole number; write decimal digits without a zero in front, as in 10");
        }
        return Integer.parseInt(text);
    }

    static boolean flag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default ->
                    throw new IllegalArgumentException(
                            Quoted.of(text) + " is neither true nor false; write one of them");
        };
    }

    static Duration duration(String text) {
        return DurationText.parse(text);
    }

    /// Null: for ever.
    static @Nullable Duration durationOrForever(String text) {
        return text.equals(DurationText.FOREVER) ? null : DurationText.parse(text);
    }
}

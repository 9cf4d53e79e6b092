package dev.latchkey.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Sizes in bytes as settings write them: `500`, `64KiB`, `1MiB`, `2GiB`.
final class SizeText {

    static final long KIB = 1024;
    static final long MIB = 1024 * KIB;
    static final long GIB = 1024 * MIB;
    static final long LARGEST = 1024 * GIB;

    private static final Pattern SHAPE = Pattern.compile("(0|[1-9][0-9]{0,14})(B|KiB|MiB|GiB)?");

    private SizeText() {}

    /// @throws IllegalArgumentException saying what is allowed
    static long parse(String text) {
        Matcher matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    Quoted.of(text) + " is not a size; write 64KiB, 1MiB, 2GiB or a number of bytes");
        }
        long count = Long.parseLong(matcher.group(1));
        long unit = unit(matcher.group(2) == null ? "B" : matcher.group(2));
        if (count > LARGEST / unit) {
            throw new IllegalArgumentException(Quoted.of(text) + " is too large; write at most " + format(LARGEST));
        }
        return count * unit;
    }

    /// The shortest way to write it.
    static String format(long bytes) {
        for (String unit : new String[] {"GiB", "MiB", "KiB"}) {
            if (bytes % unit(unit) == 0 && bytes >= unit(unit)) {
                return bytes / unit(unit) + unit;
            }
        }
        return bytes + "B";
    }

    private static long unit(String name) {
        return switch (name) {
            case "KiB" -> KIB;
            case "MiB" -> MIB;
            case "GiB" -> GIB;
            default -> 1;
        };
    }
}

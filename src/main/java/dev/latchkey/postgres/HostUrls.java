package dev.latchkey.postgres;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The hosts that a JDBC URL names.
final class HostUrls {

    private static final Pattern SEVERAL = Pattern.compile("(jdbc:postgresql://)([^/?]*,[^/?]*)(.*)", Pattern.DOTALL);

    private HostUrls() {}

    /// A URL for each of them, in their order; what the driver splits otherwise, or not at all, stays one.
    static List<String> of(String url) {
        Matcher parts = SEVERAL.matcher(url);
        return parts.matches()
                ? Arrays.stream(parts.group(2).split(","))
                        .map(host -> parts.group(1) + host.strip() + parts.group(3))
                        .toList()
                : List.of(url);
    }
}

package dev.latchkey.config;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a route's prefix may look like.
final class Prefix {

    /// Paths of the gateway itself.
    static final List<String> RESERVED = List.of("/v1", "/openapi.yaml", "/openapi.json", "/docs", "/problems");

    /// RFC 3986 §3.3, escapes only of what needs one, so that one path has one spelling.
    private static final Pattern CHARACTERS = Pattern.compile("[A-Za-z0-9._~!$&'()*+,;=:@%/-]+");

    private static final Pattern MISPLACED = Pattern.compile("^[^/]|//|/$|%(?![0-9A-F]{2})");

    private static final Pattern NEEDLESS_ESCAPE =
            Pattern.compile("%(2[DEF]|3[0-9]|4[1-9A-F]|5[0-9ACF]|6[1-9A-F]|7[0-9AE]|00)");

    private Prefix() {}

    static @Nullable String check(String prefix) {
        if (prefix.equals("/")) {
            return "a prefix has one segment at least, for the root belongs to the gateway too; write /payments";
        }
        if (!CHARACTERS.matcher(prefix).matches() || MISPLACED.matcher(prefix).find()
                || Spelling.hasDotSegment(prefix)) {
            return Quoted.of(prefix) + " is not a prefix; write /segment or /two/segments: a slash first and none last,"
                    + " no empty segment, no . or .., no query, escapes as %C3";
        }
        if (NEEDLESS_ESCAPE.matcher(prefix).find()) {
            return Quoted.of(prefix) + " escapes what needs no escape, or a slash, a backslash or NUL; write plain"
                    + " characters, and never those three";
        }
        return RESERVED.stream()
                .filter(reserved -> covers(reserved, prefix))
                .map(reserved -> reserved + " belongs to the gateway; write another prefix, such as /payments"
                        + (reserved.equals("/v1") ? " or /payments/v1" : ""))
                .findFirst()
                .orElse(null);
    }

    private static boolean covers(String outer, String inner) {
        return inner.equals(outer) || inner.startsWith(outer + "/");
    }
}

package dev.latchkey.server;

import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/// Which paths may be forwarded (contract §2): one that some server on the way could read as another path, or as leading
/// out of the route's base path, may not. Looks at the path as it was sent.
final class PathRules {

    private PathRules() {}

    /// What is wrong with the path, as the end of a sentence; empty: nothing.
    static Optional<String> wrongIn(String path) {
        if (!path.startsWith("/")) {
            return Optional.of("does not begin with a slash");
        }
        Optional<String> character = wrongCharacter(path);
        if (character.isPresent()) {
            return character;
        }
        String[] segments = path.substring(1).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            Optional<String> wrong = wrongSegment(segments[i], i == segments.length - 1);
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> wrongCharacter(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '\\') {
                return Optional.of("has a backslash");
            }
            if (c <= 0x20 || c >= 0x7F) {
                return Optional.of("has a character that is not printable ASCII; percent-encode it");
            }
            if (c == '%') {
                Optional<String> wrong = wrongEscape(path, i);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<String> wrongEscape(String path, int at) {
        boolean whole = at + 2 < path.length()
                && HexFormat.isHexDigit(path.charAt(at + 1))
                && HexFormat.isHexDigit(path.charAt(at + 2));
        if (!whole) {
            return Optional.of("has a percent sign without two hexadecimal digits after it");
        }
        return switch (HexFormat.fromHexDigits(path, at + 1, at + 3)) {
            case 0x00 -> Optional.of("has an encoded NUL");
            case '/' -> Optional.of("has an encoded slash");
            case '\\' -> Optional.of("has an encoded backslash");
            default -> Optional.empty();
        };
    }

    /// A segment's parameters (after a semicolon) are dropped by some servers, and what is left then counts.
    private static Optional<String> wrongSegment(String segment, boolean last) {
        String decoded = segment.toLowerCase(Locale.ROOT).replace("%2e", ".").replace("%3b", ";");
        int parameters = decoded.indexOf(';');
        String name = parameters < 0 ? decoded : decoded.substring(0, parameters);
        if (name.equals(".") || name.equals("..")) {
            return Optional.of("has a segment that is one or two dots");
        }
        return name.isEmpty() && (!last || parameters >= 0) ? Optional.of("has an empty segment") : Optional.empty();
    }
}

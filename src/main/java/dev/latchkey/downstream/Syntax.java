package dev.latchkey.downstream;

/// What may stand where in a message (RFC 9110 §5, RFC 9112 §3). Characters stand for bytes.
final class Syntax {

    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";
    private static final int DELETE = 0x7f;
    private static final int LAST_BYTE = 0xff;

    private Syntax() {}

    static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(Syntax::isTokenCharacter);
    }

    private static boolean isTokenCharacter(int c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || TOKEN_MARKS.indexOf(c) >= 0;
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    /// Whether it can be a request target: no white space, no control character.
    static boolean isTarget(String text) {
        return text.chars().allMatch(c -> c > ' ' && c != DELETE && c <= LAST_BYTE);
    }

    /// Whether it can be a field value: obs-text is fine, an end of line never.
    static boolean isValue(String text) {
        return text.chars().allMatch(c -> c != '\r' && c != '\n' && c != 0 && c <= LAST_BYTE);
    }

    /// Without the spaces and tabs around it (OWS), and no other white space.
    static String trimmed(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    static boolean isBlank(int c) {
        return c == ' ' || c == '\t';
    }
}

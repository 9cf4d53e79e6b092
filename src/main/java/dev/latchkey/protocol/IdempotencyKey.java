package dev.latchkey.protocol;

import java.util.List;

/// The caller's idempotency key, decoded (contract §3): 1 to 255 characters of ASCII 0x20 to 0x7E, neither first nor
/// last a space. Compared character for character. Immutable.
public final class IdempotencyKey {

    static final int MAX_LENGTH = 255;

    private final String text;

    private IdempotencyKey(String text) {
        this.text = text;
    }

    /// What the field lines of one request came to.
    public sealed interface Parsed permits Valid, Missing, Invalid {}

    /// There is a key.
    public record Valid(IdempotencyKey key) implements Parsed {}

    /// There is no field line, or an empty one.
    public record Missing() implements Parsed {}

    /// There is something that is no key.
    ///
    /// @param reason which character at which place, and what is allowed; printable ASCII, safe to show and to log
    public record Invalid(String reason) implements Parsed {}

    /// Reads the values of a request's `Idempotency-Key` field lines: a structured-field string with or without
    /// parameters (RFC 9651 §3.3.3), or the bare form.
    public static Parsed parse(List<String> fieldLines) {
        if (fieldLines.size() > 1) {
            return new Invalid("There are " + fieldLines.size() + " Idempotency-Key lines; send one");
        }
        String value = fieldLines.isEmpty() ? "" : stripWhiteSpace(fieldLines.getFirst());
        if (value.isEmpty()) {
            return new Missing();
        }
        return value.startsWith("\"") ? StructuredKey.parse(value) : parseBare(value);
    }

    /// Takes a decoded key, as the ledger keeps it or a template makes it.
    public static Parsed check(String text) {
        if (text.isEmpty()) {
            return new Invalid("The key is empty; 1 to 255 characters are allowed");
        }
        if (text.length() > MAX_LENGTH) {
            return new Invalid("The key has " + text.length() + " characters; 1 to 255 are allowed");
        }
        for (int i = 0; i < text.length(); i++) {
            if (!isPrintable(text.charAt(i))) {
                return unexpected(text, i, "a key holds printable ASCII only (0x20 to 0x7E)");
            }
        }
        if (text.startsWith(" ")) {
            return unexpected(text, 0, "a key does not begin with a space");
        }
        if (text.endsWith(" ")) {
            return unexpected(text, text.length() - 1, "a key does not end with a space");
        }
        return new Valid(new IdempotencyKey(text));
    }

    /// A key that is known to be valid.
    ///
    /// @throws IllegalArgumentException if it is not
    public static IdempotencyKey of(String text) {
        return switch (check(text)) {
            case Valid valid -> valid.key();
            case Invalid invalid -> throw new IllegalArgumentException(invalid.reason());
            case Missing _ -> throw new IllegalStateException("a text that is there is never missing");
        };
    }

    /// The decoded key.
    public String text() {
        return text;
    }

    /// The key as a structured-field string: quoted, with `"` and `\` escaped.
    public String structured() {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static Parsed parseBare(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (!isPrintable(c) || " \"\\,;".indexOf(c) >= 0) {
                return unexpected(
                        value,
                        i,
                        "a bare key holds printable ASCII without space, quote, backslash, comma and semicolon;"
                                + " put it in double quotes to use these");
            }
        }
        return check(value);
    }

    static boolean isPrintable(char c) {
        return c >= 0x20 && c <= 0x7E;
    }

    static Invalid unexpected(String value, int at, String allowed) {
        return new Invalid("Character " + (at + 1) + " is " + nameOf(value.charAt(at)) + "; " + allowed);
    }

    /// Names a character without ever sending a raw control or non-ASCII byte back.
    private static String nameOf(char c) {
        if (c == ' ') {
            return "a space";
        }
        if (isPrintable(c)) {
            return "'" + c + "'";
        }
        if (c < 0x20 || c == 0x7F) {
            return String.format("the control character 0x%02X", (int) c);
        }
        return c <= 0xFF
                ? String.format("the byte 0x%02X, which is not ASCII", (int) c)
                : String.format("U+%04X, which is not ASCII", (int) c);
    }

    private static String stripWhiteSpace(String value) {
        int from = 0;
        int to = value.length();
        while (from < to && isWhiteSpace(value.charAt(from))) {
            from++;
        }
        while (to > from && isWhiteSpace(value.charAt(to - 1))) {
            to--;
        }
        return value.substring(from, to);
    }

    private static boolean isWhiteSpace(char c) {
        return c == ' ' || c == '\t';
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdempotencyKey key && text.equals(key.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// Its length only: a key must never reach a log.
    @Override
    public String toString() {
        return "key of " + text.length() + " characters";
    }
}

package dev.latchkey.protocol;

import dev.latchkey.protocol.IdempotencyKey.Parsed;
import java.util.Base64;

/// Reads a structured-field item that is a string (RFC 9651 §4.2.3), strictly. Its parameters must be well formed and
/// are then ignored, as the draft asks. For one value.
final class StructuredKey {

    private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
    private static final String DIGITS = "0123456789";
    private static final String LETTERS = LOWER + "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    private static final String KEY_START = LOWER + "*";
    private static final String KEY_REST = LOWER + DIGITS + "_-.*";
    private static final String TOKEN_START = LETTERS + "*";
    private static final String TOKEN_REST = LETTERS + DIGITS + "!#$%&'*+-.^_`|~:/";
    private static final String BASE64 = LETTERS + DIGITS + "+/=";
    private static final String LOWER_HEX = DIGITS + "abcdef";

    private final String value;
    private int at;

    private StructuredKey(String value) {
        this.value = value;
    }

    /// @param value begins with a double quote and has no white space around it
    static Parsed parse(String value) {
        StructuredKey reader = new StructuredKey(value);
        try {
            String text = reader.string();
            reader.parameters();
            reader.skipSpaces();
            if (reader.at < value.length()) {
                throw reader.unexpected("one quoted key is allowed, and after it only parameters (;name=value)");
            }
            return IdempotencyKey.check(text);
        } catch (Malformed malformed) {
            return malformed.why;
        }
    }

    private String string() throws Malformed {
        expect('"', "a string begins with a double quote");
        StringBuilder text = new StringBuilder();
        while (at < value.length()) {
            char c = value.charAt(at);
            if (c == '"') {
                at++;
                return text.toString();
            }
            if (c == '\\') {
                at++;
                c = at < value.length() ? value.charAt(at) : 0;
                if (c != '"' && c != '\\') {
                    throw unexpected("only \\\" and \\\\ are escapes");
                }
            } else if (!IdempotencyKey.isPrintable(c)) {
                throw unexpected("a quoted string holds printable ASCII only (0x20 to 0x7E)");
            }
            text.append(c);
            at++;
        }
        throw unexpected("a quoted string ends with a double quote");
    }

    private void parameters() throws Malformed {
        while (found(';')) {
            skipSpaces();
            word(KEY_START, KEY_REST, "a parameter's name begins with a lower-case letter or *");
            if (found('=')) {
                bareItem();
            }
        }
    }

    private void bareItem() throws Malformed {
        String allowed = "a parameter's value is a number, string, token, byte sequence, boolean or date";
        switch (at < value.length() ? value.charAt(at) : 0) {
            case '"' -> string();
            case ':' -> byteSequence();
            case '?' -> {
                at++;
                if (!found('0') && !found('1')) {
                    throw unexpected("a boolean is ?0 or ?1");
                }
            }
            case '@' -> {
                at++;
                if (number()) {
                    throw unexpected("a date is a whole number");
                }
            }
            case '%' -> displayString();
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
            default -> word(TOKEN_START, TOKEN_REST, allowed);
        }
    }

    /// Whether it had a fraction.
    private boolean number() throws Malformed {
        found('-');
        int whole = digits();
        boolean fraction = whole > 0 && found('.');
        int places = fraction ? digits() : 0;
        if (whole == 0 || whole > (fraction ? 12 : 15) || (fraction && (places == 0 || places > 3))) {
            throw unexpected("a number has at most 15 digits, or 12 and 3 after the point");
        }
        return fraction;
    }

    private void byteSequence() throws Malformed {
        at++;
        int from = at;
        skip(BASE64);
        String encoded = value.substring(from, at);
        expect(':', "a byte sequence is Base64 between colons");
        try {
            Base64.getDecoder().decode(encoded);
        } catch (IllegalArgumentException _) {
            at = from;
            throw unexpected("a byte sequence is Base64 between colons");
        }
    }

    private void displayString() throws Malformed {
        at++;
        expect('"', "a display string begins with %\"");
        ByteBuilder decoded = new ByteBuilder(16);
        int from = at;
        while (!found('"')) {
            char c = at < value.length() ? value.charAt(at) : 0;
            if (!IdempotencyKey.isPrintable(c)) {
                throw unexpected("a display string holds printable ASCII and ends with a double quote");
            }
            at++;
            decoded.add(c == '%' ? (lowerHex() << 4) | lowerHex() : c);
        }
        if (!Utf8.isValid(decoded.array(), 0, decoded.length())) {
            at = from;
            throw unexpected("a display string encodes UTF-8");
        }
    }

    private int lowerHex() throws Malformed {
        int digit = at < value.length() ? LOWER_HEX.indexOf(value.charAt(at)) : -1;
        if (digit < 0) {
            throw unexpected("after % come two lower-case hexadecimal digits");
        }
        at++;
        return digit;
    }

    private void word(String start, String rest, String allowed) throws Malformed {
        if (at == value.length() || start.indexOf(value.charAt(at)) < 0) {
            throw unexpected(allowed);
        }
        skip(rest);
    }

    private int digits() {
        int from = at;
        skip(DIGITS);
        return at - from;
    }

    private void skip(String characters) {
        while (at < value.length() && characters.indexOf(value.charAt(at)) >= 0) {
            at++;
        }
    }

    private void skipSpaces() {
        skip(" ");
    }

    private boolean found(char c) {
        boolean here = at < value.length() && value.charAt(at) == c;
        at += here ? 1 : 0;
        return here;
    }

    private void expect(char c, String allowed) throws Malformed {
        if (!found(c)) {
            throw unexpected(allowed);
        }
    }

    private Malformed unexpected(String allowed) {
        return new Malformed(
                at < value.length()
                        ? IdempotencyKey.unexpected(value, at, allowed)
                        : new IdempotencyKey.Invalid("The field ends after character " + at + "; " + allowed));
    }

    private static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        private final transient IdempotencyKey.Invalid why;

        Malformed(IdempotencyKey.Invalid why) {
            super(null, null, false, false);
            this.why = why;
        }
    }
}

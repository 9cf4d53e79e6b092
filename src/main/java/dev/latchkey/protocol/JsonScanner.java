package dev.latchkey.protocol;

/// Reads the tokens of a JSON document (RFC 8259) strictly, and writes each scalar in canonical form. A scalar is a tag,
/// its content, and an end byte that no content has, so none is the beginning of another. For one thread, used once.
final class JsonScanner {

    static final int STRING = 's';
    static final int NUMBER = 'n';
    static final int END = 0xFF;

    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
    private static final byte[] NULL = {'n', 'u', 'l', 'l'};

    private final byte[] text;
    private final ByteBuilder out;
    private int at;

    JsonScanner(byte[] text, ByteBuilder out) {
        this.text = text;
        this.out = out;
    }

    /// The byte at hand after white space, which it does not take; -1 at the end.
    int peek() {
        while (at < text.length && isWhiteSpace(text[at])) {
            at++;
        }
        return at < text.length ? text[at] & 0xFF : -1;
    }

    void skip() {
        at++;
    }

    /// How many bytes were taken.
    int taken() {
        return at;
    }

    void expect(char mark) throws NotStrictJson {
        if (peek() != mark) {
            throw new NotStrictJson(
                    mark == ',' ? "a comma or the end should stand there" : "'" + mark + "' should stand there");
        }
        at++;
    }

    /// Takes the scalar that begins with the byte at hand.
    void scalar() throws NotStrictJson {
        switch (peek()) {
            case '"' -> {
                out.add(STRING);
                string();
            }
            case 't' -> literal(TRUE);
            case 'f' -> literal(FALSE);
            case 'n' -> literal(NULL);
            default -> number();
        }
    }

    /// Takes a string and writes its content and the end byte.
    void string() throws NotStrictJson {
        expect('"');
        while (true) {
            int run = at;
            while (at < text.length && isPlain(text[at])) {
                at++;
            }
            out.add(text, run, at);
            if (at == text.length) {
                throw new NotStrictJson("a string does not end");
            }
            switch (text[at]) {
                case '"' -> {
                    at++;
                    out.add(END);
                    return;
                }
                case '\\' -> escape();
                default -> nonAscii();
            }
        }
    }

    private static boolean isPlain(byte b) {
        return b >= 0x20 && b != '"' && b != '\\';
    }

    private static boolean isWhiteSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    private void nonAscii() throws NotStrictJson {
        int length = text[at] < 0 ? Utf8.sequenceLength(text, at, text.length) : 0;
        if (length == 0) {
            throw new NotStrictJson("a string holds a control character, or bytes that are not UTF-8");
        }
        out.add(text, at, at + length);
        at += length;
    }

    private void escape() throws NotStrictJson {
        int escaped = at + 1 < text.length ? text[at + 1] : -1;
        at += 2;
        switch (escaped) {
            case '"', '\\', '/' -> out.add(escaped);
            case 'b' -> out.add('\b');
            case 'f' -> out.add('\f');
            case 'n' -> out.add('\n');
            case 'r' -> out.add('\r');
            case 't' -> out.add('\t');
            case 'u' -> unicodeEscape();
            default -> throw new NotStrictJson("a backslash stands before a character that it does not escape");
        }
    }

    /// A surrogate without its other half is valid by the grammar and stays a value of its own: it is written as the
    /// three bytes that strict UTF-8 does not have.
    private void unicodeEscape() throws NotStrictJson {
        char unit = hex(at);
        at += 4;
        if (Character.isHighSurrogate(unit) && at + 1 < text.length && text[at] == '\\' && text[at + 1] == 'u') {
            char next = hex(at + 2);
            if (Character.isLowSurrogate(next)) {
                at += 6;
                out.addCodePoint(Character.toCodePoint(unit, next));
                return;
            }
        }
        out.addCodePoint(unit);
    }

    private char hex(int from) throws NotStrictJson {
        if (from + 4 > text.length) {
            throw new NotStrictJson("\\u has four hexadecimal digits");
        }
        int unit = 0;
        for (int i = from; i < from + 4; i++) {
            int digit = text[i] < 0 ? -1 : Character.digit((char) text[i], 16);
            if (digit < 0) {
                throw new NotStrictJson("\\u has four hexadecimal digits");
            }
            unit = (unit << 4) | digit;
        }
        return (char) unit;
    }

    private void literal(byte[] word) throws NotStrictJson {
        for (byte letter : word) {
            if (at == text.length || text[at] != letter) {
                throw new NotStrictJson("no value begins like this");
            }
            at++;
        }
        out.add(word[0] == 'n' ? '0' : word[0]);
    }

    private void number() throws NotStrictJson {
        int from = at;
        skipIf('-');
        if (!skipIf('0')) {
            digits();
        }
        if (skipIf('.')) {
            digits();
        }
        if (skipIf('e') || skipIf('E')) {
            if (!skipIf('+')) {
                skipIf('-');
            }
            digits();
        }
        out.add(NUMBER);
        JsonDecimal.add(out, text, from, at);
        out.add(END);
    }

    private boolean skipIf(char mark) {
        boolean here = at < text.length && text[at] == mark;
        at += here ? 1 : 0;
        return here;
    }

    private void digits() throws NotStrictJson {
        int from = at;
        while (at < text.length && text[at] >= '0' && text[at] <= '9') {
            at++;
        }
        if (at == from) {
            throw new NotStrictJson("a value or a digit should stand there");
        }
    }
}

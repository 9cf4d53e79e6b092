package dev.latchkey.protocol;

import java.nio.charset.StandardCharsets;

/// Writes a JSON number by its exact decimal value, in time linear in its length: the sign, the exponent of ten, and the
/// digits without zeros at either end. Never through a double, and never expanded, so `1e999999999` costs ten bytes.
/// No state.
final class JsonDecimal {

    /// How many digits an exponent may have to be summed as a long; longer ones are summed digit by digit.
    private static final int LONG_DIGITS = 17;

    private JsonDecimal() {}

    /// Adds the canonical form of a number whose grammar has been checked: `-` or `+`, the exponent in plain decimal, a
    /// colon, the digits. Zero of any spelling is `+0:`.
    ///
    /// @param from the number's first byte
    /// @param to the byte after its last
    static void add(ByteBuilder out, byte[] text, int from, int to) {
        boolean negative = text[from] == '-';
        int mantissa = negative ? from + 1 : from;
        int exponent = mantissa;
        int point = -1;
        int first = -1;
        int last = -1;
        for (; exponent < to && text[exponent] != 'e' && text[exponent] != 'E'; exponent++) {
            if (text[exponent] == '.') {
                point = exponent;
            } else if (text[exponent] != '0') {
                first = first < 0 ? exponent : first;
                last = exponent;
            }
        }
        if (first < 0) {
            out.add('+');
            out.add('0');
            out.add(':');
            return;
        }
        out.add(negative ? '-' : '+');
        int whole = point < 0 ? exponent : point;
        int shift = last < whole ? whole - last - 1 : whole - last; // digits after the last that counts
        addExponent(out, text, exponent, to, shift);
        out.add(':');
        if (point > first && point < last) {
            out.add(text, first, point);
            out.add(text, point + 1, last + 1);
        } else {
            out.add(text, first, last + 1);
        }
    }

    /// Adds the sum of the written exponent and the shift.
    private static void addExponent(ByteBuilder out, byte[] text, int mark, int to, int shift) {
        int at = mark + 1;
        boolean negative = at < to && text[at] == '-';
        if (at < to && (negative || text[at] == '+')) {
            at++;
        }
        while (at < to && text[at] == '0') {
            at++;
        }
        if (to - at > LONG_DIGITS) {
            addLongExponent(out, text, at, to, negative, shift);
            return;
        }
        long written = 0;
        for (; at < to; at++) {
            written = written * 10 + text[at] - '0';
        }
        byte[] sum = Long.toString((negative ? -written : written) + shift).getBytes(StandardCharsets.US_ASCII);
        out.add(sum, 0, sum.length);
    }

    /// The same for an exponent that is far larger than any shift, so that the sum keeps its sign.
    private static void addLongExponent(
            ByteBuilder out, byte[] text, int from, int to, boolean negative, int shift) {
        byte[] digits = new byte[to - from + 1];
        long carry = negative ? -(long) shift : shift;
        for (int i = digits.length - 1; i >= 0; i--) {
            long sum = (i == 0 ? 0 : text[from + i - 1] - '0') + carry;
            digits[i] = (byte) ('0' + Math.floorMod(sum, 10));
            carry = Math.floorDiv(sum, 10);
        }
        if (negative) {
            out.add('-');
        }
        int first = 0;
        while (digits[first] == '0') {
            first++;
        }
        out.add(digits, first, digits.length);
    }
}

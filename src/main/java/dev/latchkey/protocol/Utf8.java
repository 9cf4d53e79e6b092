package dev.latchkey.protocol;

/// Strict UTF-8 (RFC 3629): no overlong forms, no surrogates, nothing past U+10FFFF.
final class Utf8 {

    private Utf8() {}

    static boolean isValid(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            int length = bytes[at] >= 0 ? 1 : sequenceLength(bytes, at, to);
            if (length == 0) {
                return false;
            }
            at += length;
        }
        return true;
    }

    /// How many bytes the non-ASCII character that begins at `at` has: 2 to 4, or 0 if it is malformed.
    static int sequenceLength(byte[] bytes, int at, int to) {
        int lead = bytes[at] & 0xFF;
        int length = lead >= 0xC2 && lead <= 0xDF
                ? 2
                : lead >= 0xE0 && lead <= 0xEF ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
        if (length == 0 || at + length > to) {
            return 0;
        }
        int second = bytes[at + 1] & 0xFF;
        int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < least || second > most) {
            return 0;
        }
        for (int i = at + 2; i < at + length; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }
}

package dev.latchkey.protocol;

import java.util.Arrays;

/// Bytes that grow at the end and can be cut back. For one thread.
final class ByteBuilder {

    private byte[] bytes;
    private int length;

    ByteBuilder(int capacity) {
        bytes = new byte[Math.max(capacity, 16)];
    }

    /// Text as UTF-8. A lone surrogate, which UTF-8 cannot say, becomes the three bytes its code point would have, so
    /// that two different texts never give the same bytes.
    static byte[] encode(String text) {
        ByteBuilder out = new ByteBuilder(text.length() + (text.length() >> 3));
        for (int i = 0; i < text.length();) {
            int codePoint = text.codePointAt(i);
            out.addCodePoint(codePoint);
            i += Character.charCount(codePoint);
        }
        return out.toBytes();
    }

    int length() {
        return length;
    }

    /// The array in use: its content counts up to `length()`, and the next addition may replace it.
    byte[] array() {
        return bytes;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    void cutTo(int newLength) {
        length = newLength;
    }

    void add(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
    }

    void add(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    void addCodePoint(int codePoint) {
        if (codePoint < 0x80) {
            add(codePoint);
        } else if (codePoint < 0x800) {
            add(0xC0 | codePoint >> 6);
            add(0x80 | (codePoint & 0x3F));
        } else if (codePoint < 0x10000) {
            add(0xE0 | codePoint >> 12);
            add(0x80 | (codePoint >> 6 & 0x3F));
            add(0x80 | (codePoint & 0x3F));
        } else {
            add(0xF0 | codePoint >> 18);
            add(0x80 | (codePoint >> 12 & 0x3F));
            add(0x80 | (codePoint >> 6 & 0x3F));
            add(0x80 | (codePoint & 0x3F));
        }
    }

    private void reserve(int more) {
        int needed = Math.addExact(length, more);
        if (needed > bytes.length) {
            long half = bytes.length + (long) (bytes.length >> 1);
            bytes = Arrays.copyOf(bytes, (int) Math.max(needed, Math.min(half, Integer.MAX_VALUE - 8)));
        }
    }
}

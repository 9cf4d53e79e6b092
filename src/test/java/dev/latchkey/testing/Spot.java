package dev.latchkey.testing;

import java.nio.charset.StandardCharsets;

/// A place in what goes one way of a connection.
@FunctionalInterface
public interface Spot {

    /// @param seen all that went this way so far
    /// @return how many of these bytes lie before the spot; -1: it has not come yet
    int in(byte[] seen);

    /// The place after that many bytes.
    static Spot after(int bytes) {
        return seen -> seen.length < bytes ? -1 : bytes;
    }

    /// The place right before this text, one character a byte.
    static Spot before(String text) {
        return seen -> new String(seen, StandardCharsets.ISO_8859_1).indexOf(text);
    }

    /// The place right after this text, one character a byte.
    static Spot past(String text) {
        return seen -> {
            int start = new String(seen, StandardCharsets.ISO_8859_1).indexOf(text);
            return start < 0 ? -1 : start + text.length();
        };
    }
}

package dev.latchkey.protocol;

import java.util.Arrays;
import java.util.List;

/// A JSON pointer (RFC 6901). Immutable.
///
/// @param tokens member names or array positions from the outside in, unescaped
public record JsonPointer(List<String> tokens) {

    public JsonPointer {
        tokens = List.copyOf(tokens);
    }

    /// Reads the string form, for example `/items/0/price`.
    ///
    /// @throws IllegalArgumentException saying what is wrong, and where
    public static JsonPointer parse(String text) {
        if (text.isEmpty()) {
            return new JsonPointer(List.of());
        }
        if (text.charAt(0) != '/') {
            throw new IllegalArgumentException("a JSON pointer begins with '/'; write /" + text);
        }
        for (int i = text.indexOf('~'); i >= 0; i = text.indexOf('~', i + 1)) {
            if (!text.startsWith("~0", i) && !text.startsWith("~1", i)) {
                throw new IllegalArgumentException("character " + (i + 1)
                        + " of a JSON pointer is '~' without 0 or 1; write ~0 for '~' and ~1 for '/'");
            }
        }
        return new JsonPointer(Arrays.stream(text.substring(1).split("/", -1))
                .map(token -> token.replace("~1", "/").replace("~0", "~"))
                .toList());
    }

    /// Whether it points at the whole document.
    public boolean isWhole() {
        return tokens.isEmpty();
    }

    /// The string form.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (String token : tokens) {
            text.append('/').append(token.replace("~", "~0").replace("/", "~1"));
        }
        return text.toString();
    }
}

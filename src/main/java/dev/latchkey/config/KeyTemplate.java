package dev.latchkey.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// A route's own recipe for the key of a call that brings none: `order-shipped:{/order_id}:{/run_date}`.
///
/// @param parts in their order
public record KeyTemplate(List<Part> parts) {

    private static final String EXAMPLE = "\"order-shipped:{/order_id}:{/run_date}\"";

    public KeyTemplate {
        parts = List.copyOf(parts);
        if (parts.stream().noneMatch(Pointed.class::isInstance)) {
            throw new IllegalArgumentException(
                    "the key is neither required nor optional, and as a template it takes nothing from the body: every"
                            + " call would have the same key; write required, optional or a template like " + EXAMPLE);
        }
    }

    /// A stretch of the key.
    public sealed interface Part {}

    /// Text that is the same in every key.
    public record Literal(String text) implements Part {}

    /// A value of the JSON body, by its pointer (RFC 6901).
    public record Pointed(String pointer) implements Part {}

    /// Reads it as settings write it.
    ///
    /// @throws IllegalArgumentException saying what is allowed
    public static KeyTemplate parse(String text) {
        List<Part> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf('{', at);
            if (open != at) {
                parts.add(literal(text.substring(at, open < 0 ? text.length() : open)));
            }
            if (open < 0) {
                break;
            }
            int close = text.indexOf('}', open);
            if (close < 0) {
                throw new IllegalArgumentException("a { without its }; write a template like " + EXAMPLE);
            }
            parts.add(pointed(text.substring(open + 1, close)));
            at = close + 1;
        }
        return new KeyTemplate(parts);
    }

    @Override
    public String toString() {
        return parts.stream()
                .map(part -> switch (part) {
                    case Literal(String text) -> text;
                    case Pointed(String pointer) -> "{" + pointer + "}";
                })
                .collect(Collectors.joining());
    }

    private static Literal literal(String text) {
        if (text.indexOf('}') >= 0 || !text.chars().allMatch(c -> c >= 0x20 && c <= 0x7E)) {
            throw new IllegalArgumentException(
                    "a key holds printable ASCII only, and a } needs its {; write a template like " + EXAMPLE);
        }
        return new Literal(text);
    }

    private static Pointed pointed(String pointer) {
        String complaint = Spelling.pointer(pointer);
        if (complaint != null) {
            throw new IllegalArgumentException(complaint);
        }
        return new Pointed(pointer);
    }
}

package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Derives a key from a JSON body, for callers that send none (contract §10): text with JSON pointers in braces, such as
/// `order-shipped:{/order_id}:{/run_date}`. Immutable.
public final class KeyTemplate {

    private final String text;
    private final List<Piece> pieces;
    private final PointerTree pointers;

    private KeyTemplate(String text, List<Piece> pieces) {
        this.text = text;
        this.pieces = List.copyOf(pieces);
        this.pointers = PointerTree.of(
                pieces.stream().flatMap(piece -> piece.pointer().stream()).toList());
    }

    private record Piece(String literal, Optional<JsonPointer> pointer) {}

    /// What a template came to for one body.
    public sealed interface Rendering permits Rendered, Missing, Invalid {}

    /// It gives a key.
    public record Rendered(IdempotencyKey key) implements Rendering {}

    /// The body has no value there: 400 `key-missing`.
    public record Missing(JsonPointer pointer) implements Rendering {}

    /// What the body has there makes no key: 400 `key-invalid`.
    ///
    /// @param reason what is wrong and what is allowed; holds at most one character of the body, by its name
    public record Invalid(JsonPointer pointer, String reason) implements Rendering {}

    /// Reads a template.
    ///
    /// @throws IllegalArgumentException saying what is wrong, and at which character
    public static KeyTemplate parse(String text) {
        List<Piece> pieces = new ArrayList<>();
        int literal = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '}') {
                throw wrong(at, "is '}' without a '{' before it");
            }
            if (!IdempotencyKey.isPrintable(c)) {
                throw wrong(at, "is not printable ASCII (0x20 to 0x7E), which is all that a key may hold");
            }
            if (c == '{') {
                int end = text.indexOf('}', at);
                pieces.add(new Piece(text.substring(literal, at), Optional.of(pointer(text, at, end))));
                at = end;
                literal = end + 1;
            }
        }
        if (pieces.isEmpty()) {
            throw new IllegalArgumentException(
                    "a key template takes no value from the body, so every request would have"
                            + " the same key; name one by a JSON pointer in braces, for example {/order_id}");
        }
        pieces.add(new Piece(text.substring(literal), Optional.empty()));
        return new KeyTemplate(text, pieces);
    }

    private static JsonPointer pointer(String text, int open, int close) {
        if (close < 0) {
            throw wrong(open, "is '{' without a '}' after it");
        }
        if (close == open + 1) {
            throw wrong(open, "opens an empty pair of braces; name a member, for example {/order_id}");
        }
        try {
            return JsonPointer.parse(text.substring(open + 1, close));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("in the braces at character " + (open + 1) + ", " + e.getMessage(), e);
        }
    }

    private static IllegalArgumentException wrong(int at, String what) {
        return new IllegalArgumentException("character " + (at + 1) + " of a key template " + what);
    }

    /// The key that this body gives.
    ///
    /// @param body its content decoded
    public Rendering render(Body body) {
        JsonPointer first = pieces.getFirst().pointer().orElseThrow();
        if (body.isEmpty()) {
            return new Missing(first);
        }
        Optional<Map<PointerTree, byte[]>> values = CanonicalJson.values(body.bytes(), pointers);
        return values.isPresent()
                ? render(values.get())
                : new Invalid(first,
                        "The body is not strictly valid JSON without duplicate member names (RFC 8259), and"
                                + " this route takes its key from it; send such a body, or an Idempotency-Key");
    }

    private Rendering render(Map<PointerTree, byte[]> values) {
        StringBuilder key = new StringBuilder();
        for (Piece piece : pieces) {
            key.append(piece.literal());
            if (piece.pointer().isPresent()) {
                JsonPointer pointer = piece.pointer().get();
                byte[] form = values.get(pointers.at(pointer));
                if (form == null) {
                    return new Missing(pointer);
                }
                switch (KeyPart.of(form)) {
                    case KeyPart.Text part -> key.append(part.text());
                    case KeyPart.Refused refused -> {
                        return new Invalid(pointer, refused.reason());
                    }
                }
            }
        }
        return switch (IdempotencyKey.check(key.toString())) {
            case IdempotencyKey.Valid valid -> new Rendered(valid.key());
            case IdempotencyKey.Invalid invalid ->
                    new Invalid(pieces.getFirst().pointer().orElseThrow(),
                            "Together with the rest: " + invalid.reason());
            case IdempotencyKey.Missing _ -> throw new IllegalStateException("a text that is there is never missing");
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KeyTemplate template && text.equals(template.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /// As it was written.
    @Override
    public String toString() {
        return text;
    }
}

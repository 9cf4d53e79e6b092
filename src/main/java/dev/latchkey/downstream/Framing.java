package dev.latchkey.downstream;

import dev.latchkey.http.Headers;
import java.util.List;
import java.util.Locale;

/// How a response's body is delimited (RFC 9112 §6.3), read strictly: what two readers could understand in two ways is no
/// complete response.
sealed interface Framing {

    /// There is no body.
    record Bodiless() implements Framing {}

    /// So many bytes.
    record Length(long bytes) implements Framing {}

    /// Chunks up to the last one.
    record Chunked() implements Framing {}

    /// Everything up to the close, which the downstream announced.
    record UntilClose() implements Framing {}

    int LONGEST_LENGTH = 18;

    static Framing of(String method, ResponseHead head) throws MalformedResponse {
        Framing said = said(head);
        boolean bodiless = method.equals("HEAD") || head.status() == 204 || head.status() == 304;
        if (bodiless) {
            return new Bodiless();
        }
        if (said instanceof UntilClose && !head.announcesClose()) {
            throw new MalformedResponse("a body without length, chunks or an announced close");
        }
        return said;
    }

    private static Framing said(ResponseHead head) throws MalformedResponse {
        List<String> codings = head.headers().all("Transfer-Encoding");
        List<String> lengths = head.headers().all("Content-Length");
        if (!codings.isEmpty()) {
            boolean plain = codings.size() == 1
                    && codings.getFirst().toLowerCase(Locale.ROOT).equals("chunked");
            if (!plain || !lengths.isEmpty() || head.oldVersion()) {
                throw new MalformedResponse("a transfer coding that cannot be trusted");
            }
            return new Chunked();
        }
        return lengths.isEmpty() ? new UntilClose() : new Length(length(lengths));
    }

    private static long length(List<String> lengths) throws MalformedResponse {
        String text = lengths.getFirst();
        boolean digits = !text.isEmpty() && text.length() <= LONGEST_LENGTH && text.chars().allMatch(Syntax::isDigit);
        if (lengths.size() > 1 || !digits) {
            throw new MalformedResponse("not one length");
        }
        return Long.parseLong(text);
    }

    /// The body's length where it is known; else negative.
    static long lengthOf(Framing framing) {
        return switch (framing) {
            case Bodiless _ -> 0;
            case Length length -> length.bytes();
            case Chunked _,UntilClose _ -> -1;
        };
    }

    /// Whether the field has that token in one of its lists.
    static boolean hasToken(Headers headers, String field, String token) {
        return headers.all(field).stream()
                .flatMap(value -> List.of(value.split(",", -1)).stream())
                .anyMatch(part -> Syntax.trimmed(part).equalsIgnoreCase(token));
    }
}

package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import dev.latchkey.http.Request;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Undoes a request's `Content-Encoding` (RFC 9110 §8.4), for digesting and for taking values out; what is forwarded
/// stays as it came. No state.
public final class ContentCoding {

    private ContentCoding() {}

    /// What decoding came to.
    public sealed interface Decoding permits Decoded, Undecodable, TooLarge {}

    /// The content.
    ///
    /// @param coding what it is still encoded with, because we do not undo that; empty for nothing
    public record Decoded(Body body, String coding) implements Decoding {}

    /// The content is not what its coding says.
    ///
    /// @param reason what is wrong; holds nothing of the content
    public record Undecodable(String reason) implements Decoding {}

    /// The content is larger than the limit once decoded.
    public record TooLarge(long limit) implements Decoding {}

    /// Undoes `gzip` and `deflate` (the zlib format); several codings at once and unknown ones are left alone.
    ///
    /// @param sizeLimit the most bytes that content may have which was compressed
    public static Decoding decode(Request request, long sizeLimit) {
        List<String> codings = request.headers().all("Content-Encoding").stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .map(coding -> coding.strip().toLowerCase(Locale.ROOT))
                .filter(coding -> !coding.isEmpty() && !coding.equals("identity"))
                .toList();
        Body body = request.body();
        if (codings.isEmpty() || body.isEmpty()) {
            return new Decoded(body, "");
        }
        String coding = String.join(",", codings);
        return switch (coding) {
            case "gzip", "x-gzip" -> new Inflation(body.bytes(), sizeLimit).gzip();
            case "deflate" -> new Inflation(body.bytes(), sizeLimit).zlib();
            default -> new Decoded(body, coding);
        };
    }
}

package dev.latchkey.protocol;

import org.jspecify.annotations.Nullable;

/// Digests a decoded body with its media type (contract §4): JSON by meaning, forms by their pairs or parts, everything
/// else, and what fails its strict reading, byte for byte. The kind is in the digest, so no raw body is ever taken for one
/// that was read.
final class BodyDigest {

    private BodyDigest() {}

    static byte[] of(MediaType type, ContentCoding.Decoded content, PointerTree ignored) {
        byte[] body = content.body().bytes();
        byte[] read = content.coding().isEmpty() ? read(type, body, ignored) : null;
        return read != null ? read : raw(type, content.coding(), body);
    }

    private static byte @Nullable [] read(MediaType type, byte[] body, PointerTree ignored) {
        if (type.isJson() && type.isUtf8()) {
            return json(type, body, ignored);
        }
        if (type.isForm()) {
            Sha256 digest = new Sha256().text("form").text(type.name());
            return FormPairs.addTo(digest, body) ? digest.finish() : null;
        }
        String boundary = type.boundary();
        if (type.isMultipartForm() && boundary != null) {
            Sha256 digest = new Sha256().text("multipart").text(type.name());
            return MultipartParts.addTo(digest, body, boundary) ? digest.finish() : null;
        }
        return null;
    }

    private static byte @Nullable [] json(MediaType type, byte[] body, PointerTree ignored) {
        return CanonicalJson.of(body, ignored)
                .map(form -> new Sha256()
                        .text("json")
                        .text(type.name())
                        .plain(form.bytes().array(), 0, form.bytes().length())
                        .finish())
                .orElse(null);
    }

    private static byte[] raw(MediaType type, String coding, byte[] body) {
        Sha256 digest = new Sha256().text("raw");
        addRawType(digest, type);
        return digest.text(coding).field(body).finish();
    }

    /// Adds a media type with its charset. For JSON, UTF-8 is the same as none.
    static void addRawType(Sha256 digest, MediaType type) {
        String charset = type.isJson() && type.isUtf8() ? null : type.charset();
        digest.number(type.readable() ? 1 : 0).text(type.name()).number(charset == null ? 0 : 1);
        if (charset != null) {
            digest.text(charset);
        }
    }
}

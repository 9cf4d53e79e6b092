package dev.latchkey.protocol;

import org.jspecify.annotations.Nullable;

/// The digest of a decoded body with its media type (contract §4): JSON by meaning, forms by their pairs or parts,
/// everything else, and what fails its strict reading, byte for byte. The kind is in the digest, so no raw body is ever
/// taken for one that was read.
final class BodyDigest {

    private final byte[] bytes;
    private final Reading reading;

    private BodyDigest(byte[] bytes, Reading reading) {
        this.bytes = bytes;
        this.reading = reading;
    }

    byte[] bytes() {
        return bytes;
    }

    Reading reading() {
        return reading;
    }

    static BodyDigest of(MediaType type, ContentCoding.Decoded content, PointerTree ignored) {
        byte[] body = content.body().bytes();
        Reading.Kind kind = content.coding().isEmpty() ? kind(type) : Reading.Kind.BYTES;
        byte[] read = read(kind, type, body, ignored);
        return read != null
                ? new BodyDigest(read, new Reading(kind, true))
                : new BodyDigest(raw(type, content.coding(), body), new Reading(kind, kind == Reading.Kind.BYTES));
    }

    private static Reading.Kind kind(MediaType type) {
        if (type.isJson() && type.isUtf8()) {
            return Reading.Kind.JSON;
        }
        if (type.isForm()) {
            return Reading.Kind.FORM;
        }
        return type.isMultipartForm() ? Reading.Kind.MULTIPART : Reading.Kind.BYTES;
    }

    private static byte @Nullable [] read(Reading.Kind kind, MediaType type, byte[] body, PointerTree ignored) {
        return switch (kind) {
            case JSON -> json(type, body, ignored);
            case FORM -> {
                Sha256 digest = new Sha256().text("form").text(type.name());
                yield FormPairs.addTo(digest, body) ? digest.finish() : null;
            }
            case MULTIPART -> {
                String boundary = type.boundary();
                Sha256 digest = new Sha256().text("multipart").text(type.name());
                yield boundary != null && MultipartParts.addTo(digest, body, boundary) ? digest.finish() : null;
            }
            case BYTES -> null;
        };
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

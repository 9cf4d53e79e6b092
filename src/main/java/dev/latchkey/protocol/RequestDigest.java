package dev.latchkey.protocol;

import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import java.util.List;
import java.util.Optional;

/// A request's content and chosen header fields, digested once: the costly part of its fingerprint. `at` adds a method
/// and target to it cheaply, so that a mismatch can be told by method, target and body apart. Immutable.
public final class RequestDigest {

    private static final String DOMAIN = "latchkey fingerprint";

    private final byte[] content;
    private final FingerprintKeys keys;

    private RequestDigest(byte[] content, FingerprintKeys keys) {
        this.content = content;
        this.keys = keys;
    }

    static Fingerprinting of(Request request, FingerprintPolicy policy, FingerprintKeys keys, long sizeLimit) {
        return switch (ContentCoding.decode(request, sizeLimit)) {
            case ContentCoding.Decoded decoded -> taken(request, decoded, policy, keys);
            case ContentCoding.Undecodable undecodable -> new Fingerprinting.Undecodable(undecodable.reason());
            case ContentCoding.TooLarge tooLarge -> new Fingerprinting.TooLarge(tooLarge.limit());
        };
    }

    private static Fingerprinting taken(
            Request request, ContentCoding.Decoded body, FingerprintPolicy policy, FingerprintKeys keys) {
        MediaType type = MediaType.of(request.headers());
        BodyDigest bodyDigest = BodyDigest.of(type, body, policy.ignored());
        Sha256 digest = new Sha256().field(bodyDigest.bytes());
        addHeaders(digest, request.headers(), policy.headers());
        RequestDigest content = new RequestDigest(digest.finish(), keys);
        return new Fingerprinting.Taken(content.at(request.method(), request.target()), content, bodyDigest.reading());
    }

    private static void addHeaders(Sha256 digest, Headers headers, List<String> names) {
        digest.number(names.size());
        for (String name : names) {
            List<String> values = headers.all(name);
            digest.text(name).number(values.size());
            values.forEach(digest::text);
        }
    }

    /// The fingerprint of this content under a method and target.
    ///
    /// @param target path and query as sent; the first question mark parts them
    public Fingerprint at(String method, String target) {
        return keys.first(digest(method, target));
    }

    /// The same, made as the other one was; empty: nobody here can make it so.
    Optional<Fingerprint> like(Fingerprint other, String method, String target) {
        return keys.like(other, digest(method, target));
    }

    /// The same in every way, for whoever cannot see how the other one was made.
    List<Fingerprint> all(String method, String target) {
        return keys.all(digest(method, target));
    }

    private byte[] digest(String method, String target) {
        return new Sha256()
                .text(DOMAIN)
                .number(Fingerprint.VERSION)
                .text(method)
                .text(target)
                .field(content)
                .finish();
    }

    @Override
    public String toString() {
        return "content of " + at("", "");
    }
}

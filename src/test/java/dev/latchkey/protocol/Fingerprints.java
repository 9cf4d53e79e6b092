package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/// Takes fingerprints of requests that differ in little, for the tests.
final class Fingerprints {

    static final long LIMIT = 1 << 20;

    private Fingerprints() {}

    static Fingerprint json(String body) {
        return of("application/json", body);
    }

    static Fingerprint json(byte[] body) {
        return of("application/json", body);
    }

    static Fingerprint jsonWithout(String body, String... pointers) {
        return taken(post(Headers.of("Content-Type", "application/json"), utf8(body)), ignoring(pointers));
    }

    static Fingerprint of(String contentType, String body) {
        return of(contentType, utf8(body));
    }

    static Fingerprint of(String contentType, byte[] body) {
        return taken(post(Headers.of("Content-Type", contentType), body), FingerprintPolicy.PLAIN);
    }

    static Fingerprint taken(Request request, FingerprintPolicy policy) {
        Fingerprinting result = Fingerprint.of(request, policy, LIMIT);
        assertThat(result).isInstanceOf(Fingerprinting.Taken.class);
        return ((Fingerprinting.Taken) result).fingerprint();
    }

    static FingerprintPolicy ignoring(String... pointers) {
        return new FingerprintPolicy(
                Arrays.stream(pointers).map(JsonPointer::parse).toList(), List.of());
    }

    static Request post(Headers headers, byte[] body) {
        return new Request("POST", "/payments", null, headers, Body.of(body));
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}

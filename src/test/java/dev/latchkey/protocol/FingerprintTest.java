package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Contract §4 but for JSON, forms and codings, which have tests of their own.
class FingerprintTest {

    @Test
    void methodPathAndQueryCountAsSent() {
        Set<Fingerprint> seen = new HashSet<>();
        assertThat(seen.add(at("POST", "/payments", null))).isTrue();
        assertThat(seen.add(at("PUT", "/payments", null))).isTrue();
        assertThat(seen.add(at("post", "/payments", null))).isTrue();
        assertThat(seen.add(at("POST", "/payments/", null))).isTrue();
        assertThat(seen.add(at("POST", "/pay%6Dents", null))).isTrue();
        assertThat(seen.add(at("POST", "/payments", ""))).isTrue();
        assertThat(seen.add(at("POST", "/payments", "a=1&b=2"))).isTrue();
        assertThat(seen.add(at("POST", "/payments", "b=2&a=1"))).isTrue();
        assertThat(seen.add(at("POST", "/payment", "s"))).isTrue();
        assertThat(seen.add(at("POST", "/payments", null))).isFalse();
    }

    @Test
    void theDigestGivesTheFingerprintUnderAnyMethodAndTarget() {
        Request request = new Request("POST", "/a", "b?c", Headers.of("Content-Type", "text/plain"), Body.ofUtf8("x"));
        assertThat(Fingerprint.of(request, FingerprintPolicy.PLAIN, 1))
                .isInstanceOfSatisfying(Fingerprinting.Taken.class, taken -> {
                    assertThat(taken.digest().at("POST", "/a?b?c")).isEqualTo(taken.fingerprint());
                    Request other = new Request("PUT", "/z", null, request.headers(), request.body());
                    assertThat(taken.digest().at("PUT", "/z"))
                            .isEqualTo(Fingerprints.taken(other, FingerprintPolicy.PLAIN));
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "text/plain                | TEXT/Plain",
        "text/plain                | text/plain; format=flowed",
        "text/plain;charset=UTF-8  | text/plain; charset=\"utf-8\"",
        "application/octet-stream  | application/octet-stream;v=1;w=\"a;b\\\"\"",
    })
    void mediaTypesCountInLowerCaseWithoutTheirParameters(String one, String other) {
        assertThat(Fingerprints.of(one, "x")).isEqualTo(Fingerprints.of(other, "x"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "text/plain                 | text/html",
        "text/plain                 | ''",
        "text/plain;charset=utf-8   | text/plain",
        "text/plain;charset=utf-8   | text/plain;charset=iso-8859-1",
        "text/plain;charset=''      | text/plain",
        "text/plain                 | text/plain;charset",
        "text                       | text/plain",
        "text                       | TEXT",
    })
    void mediaTypeAndCharsetOfRawBodiesCount(String one, String other) {
        assertThat(Fingerprints.of(one, "x")).isNotEqualTo(Fingerprints.of(other, "x"));
    }

    @Test
    void noMediaTypeIsAnEmptyOne() {
        assertThat(
                Fingerprints.taken(Fingerprints.post(Headers.empty(), Fingerprints.utf8("x")), FingerprintPolicy.PLAIN))
                .isEqualTo(Fingerprints.of("", "x"));
    }

    @Test
    void rawBodiesCountByteForByte() {
        assertThat(Fingerprints.of("text/plain", "x")).isNotEqualTo(Fingerprints.of("text/plain", "x "));
        assertThat(Fingerprints.of("text/plain", "")).isNotEqualTo(Fingerprints.of("text/plain", "\0"));
    }

    @Test
    void onlyHeadersTheRouteNamesCount() {
        Headers headers = Headers.of("Stripe-Account", "acct_1", "X-Trace", "1");
        Headers other = Headers.of("X-Trace", "2", "stripe-account", "acct_1");
        assertThat(withHeaders(headers, "Stripe-Account"))
                .isEqualTo(withHeaders(other, "STRIPE-account"))
                .isNotEqualTo(withHeaders(headers))
                .isNotEqualTo(withHeaders(headers.with("Stripe-Account", "acct_2"), "Stripe-Account"))
                .isNotEqualTo(withHeaders(headers.without("Stripe-Account"), "Stripe-Account"))
                .isNotEqualTo(withHeaders(headers.plus("Stripe-Account", "acct_1"), "Stripe-Account"));
        assertThat(withHeaders(headers.with("Stripe-Account", ""), "Stripe-Account"))
                .isNotEqualTo(withHeaders(headers.without("Stripe-Account"), "Stripe-Account"));
        assertThat(withHeaders(headers)).isEqualTo(withHeaders(other)).isEqualTo(withHeaders(Headers.empty()));
    }

    @Test
    void theOrderInWhichARouteNamesHeadersDoesNotCount() {
        Headers headers = Headers.of("A", "1", "B", "2");
        assertThat(withHeaders(headers, "A", "B")).isEqualTo(withHeaders(headers, "b", "a", "A"));
        assertThat(withHeaders(headers, "A", "B")).isNotEqualTo(withHeaders(Headers.of("A", "2", "B", "1"), "A", "B"));
        assertThat(withHeaders(Headers.of("A", "b", "A", "x"), "A", "B"))
                .isNotEqualTo(withHeaders(Headers.of("B", "x", "B", "b"), "A", "B"));
    }

    @Test
    void fingerprintsAreAVersionAndADigest() {
        Fingerprint fingerprint = Fingerprints.json("1");
        assertThat(fingerprint.version()).isEqualTo(Fingerprint.VERSION).isEqualTo(1);
        assertThat(fingerprint.bytes()).hasSize(33).startsWith(1);
        assertThat(Fingerprint.of(fingerprint.bytes())).isEqualTo(fingerprint).hasSameHashCodeAs(fingerprint);
        assertThat(fingerprint.toString()).startsWith("fingerprint 1:").hasSizeLessThan(30);
    }

    @Test
    void anotherVersionIsAnotherFingerprint() {
        byte[] bytes = Fingerprints.json("1").bytes();
        bytes[0] = 2;
        assertThat(Fingerprint.of(bytes)).isNotEqualTo(Fingerprints.json("1"));
        assertThat(Fingerprint.of(bytes).version()).isEqualTo(2);
    }

    @Test
    void fingerprintsCannotBeChangedFromOutside() {
        Fingerprint fingerprint = Fingerprints.json("1");
        Arrays.fill(fingerprint.bytes(), (byte) 0);
        assertThat(fingerprint).isEqualTo(Fingerprints.json("1"));
        assertThatThrownBy(() -> Fingerprint.of(new byte[32])).isInstanceOf(IllegalArgumentException.class);
    }

    private static Fingerprint withHeaders(Headers headers, String... names) {
        return Fingerprints.taken(
                Fingerprints.post(headers, new byte[0]), new FingerprintPolicy(List.of(), List.of(names)));
    }

    private static Fingerprint at(String method, String path, @Nullable String query) {
        return Fingerprints.taken(
                new Request(method, path, query, Headers.empty(), Body.empty()), FingerprintPolicy.PLAIN);
    }
}

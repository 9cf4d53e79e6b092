package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §4, `multipart/form-data`.
class MultipartFingerprintTest {

    private static final String TEXT = part("name=\"note\"", "", "hello");
    private static final String FILE =
            part("name=\"file\"; filename=\"a.pdf\"", "Content-Type: application/pdf\r\n", "%PDF\r\n--\r\n");

    @Test
    void theBoundaryDoesNotCount() {
        assertThat(form("x", TEXT + FILE)).isEqualTo(form("----WebKitFormBoundary7MA4YWxk", TEXT + FILE));
        assertThat(Fingerprints.of("multipart/form-data; boundary=\"a b\"", body("a b", TEXT)))
                .isEqualTo(form("x", TEXT));
    }

    @Test
    void whatStandsAroundTheParts() {
        assertThat(Fingerprints.of(type("x"), "preamble\r\n" + body("x", TEXT) + "epilogue"))
                .isEqualTo(form("x", TEXT));
        assertThat(Fingerprints.of(type("x"), body("x", TEXT).replace("--x\r\n", "--x \t\r\n")))
                .isEqualTo(form("x", TEXT));
        assertThat(Fingerprints.of(type("x"), body("x", TEXT).replaceFirst("\r\n$", ""))).isEqualTo(form("x", TEXT));
    }

    @Test
    void otherPartHeadersAndTheCaseOfNamesDoNotCount() {
        assertThat(form("x", part("name=\"note\"", "X-Other: 1\r\ncontent-transfer-encoding: binary\r\n", "hello")))
                .isEqualTo(form("x", TEXT));
        assertThat(form("x", TEXT.replace("Content-Disposition: form-data", "CONTENT-disposition:FORM-data")))
                .isEqualTo(form("x", TEXT));
        assertThat(form("x", part("name=note", "", "hello"))).isEqualTo(form("x", TEXT));
        assertThat(form("x", FILE.replace("application/pdf", "Application/PDF; q=1"))).isEqualTo(form("x", FILE));
    }

    @Test
    void orderNameFilenameTypeAndBytesCount() {
        assertThat(form("x", TEXT + FILE))
                .isNotEqualTo(form("x", FILE + TEXT))
                .isNotEqualTo(form("x", TEXT))
                .isNotEqualTo(form("x", TEXT + FILE + TEXT))
                .isNotEqualTo(form("x", TEXT + FILE.replace("\"file\"", "\"File\"")))
                .isNotEqualTo(form("x", TEXT + FILE.replace("a.pdf", "b.pdf")))
                .isNotEqualTo(form("x", TEXT + FILE.replace("application/pdf", "application/x-pdf")))
                .isNotEqualTo(form("x", TEXT + FILE.replace("application/pdf", "application/pdf; charset=utf-8")))
                .isNotEqualTo(form("x", TEXT + FILE.replace("%PDF", "%pdf")))
                .isNotEqualTo(form("x", TEXT + FILE.replace("--\r\n", "--\r\n\r\n")));
    }

    @Test
    void aMissingTypeOrFilenameIsNotAnEmptyOne() {
        assertThat(form("x", TEXT))
                .isNotEqualTo(form("x", part("name=\"note\"", "Content-Type: text/plain\r\n", "hello")))
                .isNotEqualTo(form("x", part("name=\"note\"", "Content-Type:\r\n", "hello")))
                .isNotEqualTo(form("x", part("name=\"note\"; filename=\"\"", "", "hello")));
        assertThat(form("x", part("name=\"note\"; filename*=UTF-8''a", "", "hello")))
                .isNotEqualTo(form("x", part("name=\"note\"; filename=\"UTF-8''a\"", "", "hello")));
    }

    @Test
    void partsMayBeEmptyAndThereMayBeNone() {
        assertThat(form("x", part("name=\"note\"", "", ""))).isEqualTo(form("y", part("name=\"note\"", "", "")));
        assertThat(form("x", "")).isEqualTo(form("y", "")).isNotEqualTo(form("x", TEXT));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--x", "--x\r\n", "--x--x", "--x\r\n\r\nhello\r\n--x--\r\n",
        "--x\r\nContent-Disposition: form-data\r\n\r\na\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb",
        "--x\nContent-Disposition: form-data; name=\"a\"\n\nb\n--x--\n",
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n--x--",
        "--x\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data;\r\n name=\"a\"\r\n\r\nb\r\n--x--",
        "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--xy\r\n--x--"})
    void malformedBodiesAreRaw(String body) {
        assertThat(Fingerprints.of(type("x"), body)).isNotEqualTo(Fingerprints.of(type("x"), " \r\n" + body));
        assertThat(Fingerprints.of(type("x"), body)).isEqualTo(Fingerprints.of(type("x"), body));
    }

    @Test
    void aPartWithoutABlankLineDoesNotSwallowTheNextOne() {
        String broken = "--#\r\nX-Other: 1\r\n" + TEXT;
        assertThat(Fingerprints.of(type("a:b"), body("a:b", broken)))
                .isNotEqualTo(Fingerprints.of(type("a:b"), body("a:b", broken.replace("Other: 1", "Other: 2"))));
    }

    @Test
    void aPartMayHaveAnyNumberOfParameters() {
        String many = IntStream.range(0, 100_000).mapToObj(i -> "; p" + i + "=1").collect(Collectors.joining());
        assertThat(form("x", part("name=\"note\"" + many, "", "hello"))).isEqualTo(form("x", TEXT));
    }

    @Test
    void withoutAUsableBoundaryTheBodyIsRaw() {
        String body = body("x", TEXT);
        for (String type : new String[] {"multipart/form-data", type(""), type("x ".repeat(40)), type("ü"),
            "multipart/mixed; boundary=x"}) {
            assertThat(Fingerprints.of(type, body)).isNotEqualTo(Fingerprints.of(type, "\r\n" + body));
        }
    }

    private static Fingerprint form(String boundary, String parts) {
        return Fingerprints.of(type(boundary), body(boundary, parts));
    }

    private static String type(String boundary) {
        return "multipart/form-data; boundary=\"" + boundary + "\"";
    }

    /// Parts have a `#` where the boundary goes.
    private static String body(String boundary, String parts) {
        return (parts + "--#--\r\n").replace("--#", "--" + boundary);
    }

    private static String part(String parameters, String headers, String content) {
        return "--#\r\nContent-Disposition: form-data; " + parameters + "\r\n" + headers + "\r\n" + content + "\r\n";
    }
}

package dev.latchkey.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §4, request bodies with a `Content-Encoding`.
class ContentCodingTest {

    private static final String JSON = "{\"a\":1}";

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "GZIP", "x-gzip", " gzip ", "gzip, identity", "gzip,"})
    void gzipIsFingerprintedDecoded(String coding) {
        assertThat(fingerprint(coding, gzip("{ \"a\": 1.0 }"))).isEqualTo(taken(Fingerprints.json(JSON)));
    }

    @Test
    void deflateIsTheZlibFormat() {
        assertThat(fingerprint("deflate", zlib(JSON))).isEqualTo(taken(Fingerprints.json(JSON)));
        assertThat(fingerprint("deflate", rawDeflate(JSON))).isInstanceOf(Fingerprinting.Undecodable.class);
    }

    @Test
    void identityAndNothingAreNoCoding() {
        assertThat(fingerprint("identity", Fingerprints.utf8(JSON))).isEqualTo(taken(Fingerprints.json(JSON)));
        assertThat(fingerprint("", Fingerprints.utf8(JSON))).isEqualTo(taken(Fingerprints.json(JSON)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "gzip, gzip", "gzip, deflate", "zstd"})
    void severalAndUnknownCodingsAreRawBytes(String coding) {
        assertThat(fingerprint(coding, Fingerprints.utf8(JSON)))
                .isEqualTo(fingerprint(coding, Fingerprints.utf8(JSON)))
                .isNotEqualTo(fingerprint(coding, Fingerprints.utf8("{\"a\": 1}")))
                .isNotEqualTo(taken(Fingerprints.json(JSON)));
    }

    @Test
    void theSameBytesInAnotherCodingAreAnotherBody() {
        assertThat(fingerprint("br", new byte[] {1})).isNotEqualTo(fingerprint("", new byte[] {1}))
                .isNotEqualTo(fingerprint("zstd", new byte[] {1})).isEqualTo(fingerprint("BR", new byte[] {1}));
    }

    @Test
    void twoFieldLinesAreSeveralCodings() {
        Headers headers = Headers.of("Content-Encoding", "gzip", "Content-Encoding", "gzip");
        assertThat(Fingerprint.of(Fingerprints.post(headers, new byte[] {1}), FingerprintPolicy.PLAIN, 10))
                .isInstanceOf(Fingerprinting.Taken.class);
    }

    @Test
    void anEmptyBodyHasNothingToDecode() {
        assertThat(fingerprint("gzip", new byte[0])).isEqualTo(taken(Fingerprints.json("")));
    }

    @Test
    void everyGzipMemberCounts() {
        assertThat(fingerprint("gzip", join(gzip("{\"a\""), gzip(""), gzip(":1}"))))
                .isEqualTo(taken(Fingerprints.json(JSON)));
    }

    @Test
    void optionalGzipHeaderFieldsAreSkipped() {
        assertThat(fingerprint("gzip", withHeaderFields(gzip(JSON), true))).isEqualTo(taken(Fingerprints.json(JSON)));
        assertThat(fingerprint("gzip", withHeaderFields(gzip(JSON), false)))
                .isInstanceOf(Fingerprinting.Undecodable.class);
    }

    @Test
    void whatCannotBeDecodedIsUndecodableWhereverItBreaks() {
        byte[] gzip = gzip(JSON);
        byte[] zlib = zlib(JSON);
        for (int length = 1; length < gzip.length; length++) {
            assertThat(fingerprint("gzip", Arrays.copyOf(gzip, length))).isInstanceOf(Fingerprinting.Undecodable.class);
        }
        for (int length = 1; length < zlib.length; length++) {
            assertThat(fingerprint("deflate", Arrays.copyOf(zlib, length)))
                    .isInstanceOf(Fingerprinting.Undecodable.class);
        }
        assertThat(fingerprint("gzip", join(gzip, new byte[] {0}))).isInstanceOf(Fingerprinting.Undecodable.class);
        assertThat(fingerprint("deflate", join(zlib, new byte[] {0}))).isInstanceOf(Fingerprinting.Undecodable.class);
        assertThat(fingerprint("gzip", Fingerprints.utf8(JSON))).isInstanceOf(Fingerprinting.Undecodable.class);
        assertThat(fingerprint("gzip", flipped(gzip, gzip.length - 8))).isInstanceOf(Fingerprinting.Undecodable.class);
        assertThat(fingerprint("gzip", flipped(gzip, gzip.length - 1))).isInstanceOf(Fingerprinting.Undecodable.class);
        assertThat(fingerprint("gzip", flipped(gzip, 3))).isInstanceOf(Fingerprinting.Undecodable.class);
        assertThat(fingerprint("deflate", flipped(zlib, 1))).isInstanceOf(Fingerprinting.Undecodable.class);
    }

    @Test
    void theReasonHoldsNothingOfTheBody() {
        assertThat(fingerprint("gzip", Fingerprints.utf8("canary"))).isInstanceOfSatisfying(
                Fingerprinting.Undecodable.class,
                undecodable -> assertThat(undecodable.reason()).contains("gzip").doesNotContain("canary"));
    }

    @Test
    void decodingStopsAtTheLimit() {
        String zeros = " ".repeat(1000);
        for (String coding : new String[] {"gzip", "deflate"}) {
            byte[] body = coding.equals("gzip") ? gzip(zeros) : zlib(zeros);
            Headers headers = Headers.of("Content-Encoding", coding);
            assertThat(Fingerprint.of(Fingerprints.post(headers, body), FingerprintPolicy.PLAIN, 1000))
                    .isInstanceOf(Fingerprinting.Taken.class);
            assertThat(Fingerprint.of(Fingerprints.post(headers, body), FingerprintPolicy.PLAIN, 999))
                    .isEqualTo(new Fingerprinting.TooLarge(999));
        }
        byte[] members = join(gzip(" ".repeat(600)), gzip(" ".repeat(600)));
        assertThat(Fingerprint.of(Fingerprints.post(Headers.of("Content-Encoding", "gzip"), members),
                FingerprintPolicy.PLAIN, 1000))
                .isEqualTo(new Fingerprinting.TooLarge(1000));
    }

    private static Object fingerprint(String coding, byte[] body) {
        Headers headers = Headers.of("Content-Type", "application/json", "Content-Encoding", coding);
        return taken(Fingerprint.of(Fingerprints.post(headers, body), FingerprintPolicy.PLAIN, Fingerprints.LIMIT));
    }

    /// Drops the digest, which does not compare.
    private static Object taken(Object result) {
        return result instanceof Fingerprinting.Taken taken ? taken.fingerprint() : result;
    }

    private static byte[] gzip(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(Fingerprints.utf8(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static byte[] zlib(String text) {
        return deflate(text, new Deflater());
    }

    private static byte[] rawDeflate(String text) {
        return deflate(text, new Deflater(Deflater.DEFAULT_COMPRESSION, true));
    }

    private static byte[] deflate(String text, Deflater deflater) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream stream = new DeflaterOutputStream(out, deflater)) {
            stream.write(Fingerprints.utf8(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            deflater.end();
        }
        return out.toByteArray();
    }

    /// The same member with an extra field, a name, a comment and a header checksum, right or wrong.
    private static byte[] withHeaderFields(byte[] gzip, boolean right) {
        byte[] head = Arrays.copyOf(gzip, 10);
        head[3] = 0x1E;
        head = join(head, new byte[] {3, 0, 'x', 'y', 'z', 'n', 0, 'c', 'c', 0});
        CRC32 crc = new CRC32();
        crc.update(head);
        long sum = crc.getValue() + (right ? 0 : 1);
        return join(head, new byte[] {(byte) sum, (byte) (sum >> 8)}, Arrays.copyOfRange(gzip, 10, gzip.length));
    }

    private static byte[] flipped(byte[] bytes, int at) {
        byte[] copy = bytes.clone();
        copy[at] ^= (byte) 0x80;
        return copy;
    }

    private static byte[] join(byte[]... pieces) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            out.writeBytes(piece);
        }
        return out.toByteArray();
    }
}

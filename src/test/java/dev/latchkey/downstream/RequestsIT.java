package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.Forward;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.Received;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What goes out is what was given, byte for byte.
class RequestsIT {

    private Harness harness;

    @BeforeEach
    void start() throws IOException {
        harness = new Harness();
    }

    @AfterEach
    void stop() throws IOException {
        harness.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            nullValues = "-",
            value = {
                "'' /payments - /payments",
                "'' '' - /",
                "/ '' - /",
                "/ /payments - /payments",
                "/v1 '' - /v1",
                "/v1/ '' - /v1/",
                "/v1 / - /v1/",
                "/v1/ /a - /v1/a",
                "/v1 /a a=b&a=%zz /v1/a?a=b&a=%zz",
                "/v1 /a '' /v1/a?",
                "/v%31 /%41/%c3%A9/a+b;c=d/~!$&'()*,=:@[]|^`\"{}\\ x=%20+{}|\"^`?/ /v%31/%41/%c3%A9/a+b;c=d/~!$&'()*,=:@[]|^`\"{}\\?x=%20+{}|\"^`?/"
            })
    void targetIsPutTogetherByteForByte(String base, String path, String query, String expected) {
        try (StrictClient client = harness.client(URI.create(harness.downstream.url() + base), false)) {
            Forward forward = new Forward("POST", path, query, Headers.empty(), Body.empty(), true);

            client.send(forward, harness.open(), Harness.PATIENCE, new Harness.Spill());
        }

        assertThat(onlyOne().target()).isEqualTo(expected);
    }

    @Test
    void nothingIsAddedButHostAndLength() {
        Headers given = Headers.of("accept", "x", "B", "1", "X-Text", "caf\u00e9 \u00ff", "b", "2", "Empty", "");

        harness.send(new Forward("POST", "/a", null, given, Body.ofUtf8("four"), true));

        assertThat(onlyOne().headers())
                .isEqualTo(Headers.of(
                        "Host", "127.0.0.1:" + harness.downstream.port(), "accept", "x", "B", "1", "X-Text",
                        "caf\u00e9 \u00ff", "b", "2", "Empty", "", "Content-Length", "4"));
    }

    @ParameterizedTest
    @CsvSource({"POST,0", "PUT,0", "PATCH,0", "GET,", "HEAD,", "DELETE,", "OPTIONS,"})
    void lengthIsSentWhereABodyIsUsual(String method, String length) {
        harness.send(new Forward(method, "/a", null, Headers.empty(), Body.empty(), true));

        assertThat(onlyOne().headers().first("Content-Length").orElse(null)).isEqualTo(length);
    }

    @Test
    void deleteWithABodyHasItsLength() {
        harness.send(new Forward("DELETE", "/a", null, Headers.empty(), Body.ofUtf8("four"), true));

        assertThat(onlyOne().text()).isEqualTo("four");
    }

    @Test
    void conversationAboutTheConnectionIsOurs() {
        Headers given = Headers.of(
                "Host", "evil", "Connection", "close", "Content-Length", "99", "Transfer-Encoding", "chunked", "Expect",
                "100-continue", "Upgrade", "h2c", "HTTP2-Settings", "x", "TE", "trailers", "Kept", "yes");

        harness.send(new Forward("POST", "/a", null, given, Body.ofUtf8("four"), true));

        assertThat(onlyOne().headers())
                .isEqualTo(Headers.of(
                        "Host", "127.0.0.1:" + harness.downstream.port(), "Kept", "yes", "Content-Length", "4"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16_000, 16_384, 20_000, 32_768, 1_048_576, 5_000_000})
    void bodyArrivesWhole(int size) {
        byte[] body = new byte[size];
        for (int i = 0; i < size; i++) {
            body[i] = (byte) (i * 7 + i / 253);
        }

        Outcome outcome = harness.send(Harness.forward("POST", "/a", body));

        assertThat(outcome).isInstanceOfSatisfying(
                Outcome.Answered.class, answered -> assertThat(answered.sentWhole()).isTrue());
        assertThat(Arrays.equals(onlyOne().body(), body)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\r\nb: c", "a\nb", "a\rb", "a\0b", "\u20ac"})
    void fieldThatWouldEndItsLineIsNeverWritten(String value) {
        Forward forward = new Forward("POST", "/a", null, Headers.of("X", value), Body.empty(), true);

        assertThat(harness.send(forward)).isInstanceOf(Outcome.NotSent.class);
        assertThat(harness.downstream.bytesSeen()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/a b", "/a\r\nb", "/a\tb", "/\u20ac"})
    void targetThatWouldEndItsLineIsNeverWritten(String path) {
        Forward inPath = new Forward("POST", path, null, Headers.empty(), Body.empty(), true);
        Forward inQuery = new Forward("POST", "/a", path, Headers.empty(), Body.empty(), true);

        assertThat(harness.send(inPath)).isInstanceOf(Outcome.NotSent.class);
        assertThat(harness.send(inQuery)).isInstanceOf(Outcome.NotSent.class);
        assertThat(harness.downstream.bytesSeen()).isZero();
    }

    private Received onlyOne() {
        assertThat(harness.downstream.received()).hasSize(1);
        return harness.downstream.received().getFirst();
    }
}

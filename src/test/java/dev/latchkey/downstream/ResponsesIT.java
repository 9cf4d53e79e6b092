package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.Step;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Complete responses come through as they were, whatever their framing.
class ResponsesIT {

    private Harness harness;

    @BeforeEach
    void start() throws IOException {
        harness = new Harness();
    }

    @AfterEach
    void stop() throws IOException {
        harness.close();
    }

    static Stream<Arguments> complete() {
        String chunked = "Transfer-Encoding: chunked\r\n\r\n";
        return Stream.of(
                Arguments.of(200, "body", Step.raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")),
                Arguments.of(200, "body", Step.raw("HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nbody")),
                Arguments.of(200, "body", Step.raw("HTTP/1.1 200 \r\ncontent-length:4  \r\n\r\nbody")),
                Arguments.of(200, "body", Step.raw("HTTP/1.1 200 OK\nContent-Length: 4\n\nbody")),
                Arguments.of(200, "", Step.raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")),
                Arguments.of(205, "", Step.raw("HTTP/1.1 205 Reset\r\nContent-Length: 0\r\n\r\n")),
                Arguments.of(204, "", Step.raw("HTTP/1.1 204 No Content\r\n\r\n")),
                Arguments.of(304, "", Step.raw("HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n")),
                Arguments.of(200, "body", Step.raw("HTTP/1.1 200 OK\r\n" + chunked + "4\r\nbody\r\n0\r\n\r\n")),
                Arguments.of(200, "body",
                        Step.raw("HTTP/1.1 200 OK\r\n" + chunked + "1\r\nb\r\n3\r\nody\r\n00\r\n\r\n")),
                Arguments.of(200, "body",
                        Step.raw("HTTP/1.1 200 OK\r\n" + chunked + "4 ;a=\"b\"\r\nbody\r\n0;x\r\n\r\n")),
                Arguments.of(200, "", Step.raw("HTTP/1.1 200 OK\r\n" + chunked + "0\r\n\r\n")),
                Arguments.of(200, "body", Step.rawThenClose("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nbody")),
                Arguments.of(200, "body", Step.rawThenClose("HTTP/1.1 200 OK\r\nConnection: foo, Close\r\n\r\nbody")),
                Arguments.of(200, "body", Step.rawThenClose("HTTP/1.0 200 OK\r\n\r\nbody")),
                Arguments.of(200, "body", Step.raw("HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody")),
                Arguments.of(
                        201,
                        "body",
                        Step.raw(String.join("\r\n\r\n",
                                "HTTP/1.1 100 Continue",
                                "HTTP/1.1 102 Processing",
                                "HTTP/1.1 103 Early Hints\r\nLink: </a>",
                                "HTTP/1.1 201 Created\r\nContent-Length: 4",
                                "body"))));
    }

    @ParameterizedTest
    @MethodSource("complete")
    void completeResponseIsTheAnswer(int status, String body, Step step) {
        harness.downstream.at("/a", step);

        Outcome.Answered answered = answered("POST", "/a");

        assertThat(answered.status()).isEqualTo(status);
        assertThat(answered.body()).isEqualTo(Body.ofUtf8(body));
        assertThat(harness.downstream.received()).hasSize(1);
    }

    @Test
    void interimFieldsAndTrailersAreNoPartOfTheAnswer() {
        harness.downstream.at(
                "/a",
                Step.raw(String.join("\r\n\r\n",
                        "HTTP/1.1 103 Early Hints\r\nInterim: x",
                        "HTTP/1.1 200 OK\r\nFinal: y\r\nTransfer-Encoding: chunked",
                        "0\r\nTrailer: z",
                        "")));

        assertThat(answered("POST", "/a").headers())
                .isEqualTo(Headers.of("Final", "y", "Transfer-Encoding", "chunked"));
    }

    @Test
    void fieldLinesKeepOrderRepetitionCaseAndBytes() {
        harness.downstream.at(
                "/a",
                Step.raw(String.join("\r\n",
                        "HTTP/1.1 200 OK", "link: </1>", "X-Text: caf\u00e9 \u00ff\t!", "LINK: </2>", "Empty:",
                        "Folded: a", "  b", "\tc", "Content-Length: 0", "", "")));

        assertThat(answered("POST", "/a").headers())
                .isEqualTo(Headers.of(
                        "link", "</1>", "X-Text", "caf\u00e9 \u00ff\t!", "LINK", "</2>", "Empty", "", "Folded", "a b c",
                        "Content-Length", "0"));
    }

    @Test
    void everyByteValueComesThrough() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        harness.downstream.at("/a", Step.reply(200).body(all), Step.reply(200).body(all).inChunks());

        assertThat(answered("POST", "/a").body()).isEqualTo(Body.of(all));
        assertThat(answered("POST", "/a").body()).isEqualTo(Body.of(all));
    }

    @Test
    void compressedBodyIsLeftAsItIs() {
        byte[] notReallyGzip = {0x1f, (byte) 0x8b, 1, 2, 3};
        harness.downstream.at("/a", Step.reply(200).header("Content-Encoding", "gzip").body(notReallyGzip));

        Outcome.Answered answered = answered("POST", "/a");

        assertThat(answered.body()).isEqualTo(Body.of(notReallyGzip));
        assertThat(answered.headers().first("Content-Encoding")).contains("gzip");
    }

    @Test
    void headHasNoBodyHoweverLong() {
        harness.downstream.at(
                "/a",
                Step.raw("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n"),
                Step.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                Step.raw("HTTP/1.1 200 OK\r\n\r\n"));

        for (int i = 0; i < 3; i++) {
            assertThat(answered("HEAD", "/a").body()).isEqualTo(Body.empty());
        }
        assertThat(harness.downstream.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bodyOfExactlyTheCapIsKept(boolean chunked) {
        byte[] body = patterned(Harness.CAP);
        harness.downstream.at("/a", chunked ? Step.reply(200).body(body).inChunks() : Step.reply(200).body(body));

        assertThat(answered("POST", "/a").body()).isEqualTo(Body.of(body));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void bodyOverTheCapIsStreamedWhole(boolean chunked) {
        byte[] body = patterned(Harness.CAP * 7 + 13);
        var reply = Step.reply(201).header("Location", "/x").body(body);
        harness.downstream.at("/a", chunked ? reply.inChunks() : reply);
        Harness.Spill spill = new Harness.Spill();

        Outcome outcome =
                harness.client.send(Harness.post("/a"), harness.open(), Harness.PATIENCE, spill);

        assertThat(outcome).isInstanceOfSatisfying(Outcome.Answered.class, answered -> {
            assertThat(answered.status()).isEqualTo(201);
            assertThat(answered.body()).isNull();
        });
        assertThat(spill.begun).isEqualTo(1);
        assertThat(spill.status).isEqualTo(201);
        assertThat(spill.headers().first("Location")).contains("/x");
        assertThat(spill.length).isEqualTo(chunked ? -1 : body.length);
        assertThat(Arrays.equals(spill.bytes.toByteArray(), body)).isTrue();
        assertThat(harness.send(Harness.post("/next"))).isInstanceOf(Outcome.Answered.class);
        assertThat(harness.downstream.connections()).isEqualTo(1);
    }

    private static byte[] patterned(int size) {
        byte[] bytes = new byte[size];
        for (int i = 0; i < size; i++) {
            bytes[i] = (byte) (i * 31 + i / 251);
        }
        return bytes;
    }

    private Outcome.Answered answered(String method, String path) {
        Outcome outcome = harness.send(Harness.any(method, path));
        assertThat(outcome).isInstanceOf(Outcome.Answered.class);
        return (Outcome.Answered) outcome;
    }
}

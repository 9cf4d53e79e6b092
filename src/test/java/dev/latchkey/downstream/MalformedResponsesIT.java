package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.Step;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What could be understood in two ways, or in none, is in doubt. The connection stays open, so no close gives it away.
class MalformedResponsesIT {

    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String CHUNKED = OK + "Transfer-Encoding: chunked\r\n\r\n";

    private Harness harness;

    @BeforeEach
    void start() throws IOException {
        harness = new Harness();
    }

    @AfterEach
    void stop() throws IOException {
        harness.close();
    }

    static Stream<String> badStarts() {
        return Stream.of(
                "garbage\r\n\r\n",
                "\r\n" + OK + "Content-Length: 0\r\n\r\n",
                " " + OK + "Content-Length: 0\r\n\r\n",
                "HTTP/2 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/2.0 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/0.9 200 OK\r\nContent-Length: 0\r\n\r\n",
                "http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                "ICY 200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 099 Early\r\n\r\n",
                "HTTP/1.1 600 Late\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1  200 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 -20 OK\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
                "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(40) + OK + "Content-Length: 0\r\n\r\n",
                "HTTP/1.1 " + "2".repeat(100_000) + "\r\n\r\n");
    }

    static Stream<String> badFields() {
        return Stream.of(
                OK + "no colon\r\nContent-Length: 0\r\n\r\n",
                OK + ": no name\r\nContent-Length: 0\r\n\r\n",
                OK + "Spaced : name\r\nContent-Length: 0\r\n\r\n",
                OK + " Folded: first\r\nContent-Length: 0\r\n\r\n",
                OK + "Nul: a\0b\r\nContent-Length: 0\r\n\r\n",
                OK + "Return: a\rb\r\nContent-Length: 0\r\n\r\n",
                OK + "Nam\u00e9: x\r\nContent-Length: 0\r\n\r\n",
                OK + "Long: " + "x".repeat(70_000) + "\r\nContent-Length: 0\r\n\r\n",
                OK + "A: b\r\n".repeat(300) + "Content-Length: 0\r\n\r\n",
                OK + ("Many: " + "x".repeat(1000) + "\r\n").repeat(70) + "Content-Length: 0\r\n\r\n");
    }

    static Stream<String> badLengths() {
        return Stream.of(
                OK + "Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
                OK + "Content-Length: 4\r\nContent-Length: 4\r\n\r\nbody",
                OK + "Content-Length: 4, 4\r\n\r\nbody",
                OK + "Content-Length: 4, 5\r\n\r\nbody",
                OK + "Content-Length: -4\r\n\r\nbody",
                OK + "Content-Length: -1\r\n\r\n",
                OK + "Content-Length: +4\r\n\r\nbody",
                OK + "Content-Length: 0x4\r\n\r\nbody",
                OK + "Content-Length: 4 4\r\n\r\nbody",
                OK + "Content-Length: 4.0\r\n\r\nbody",
                OK + "Content-Length:\r\n\r\nbody",
                OK + "Content-Length: 99999999999999999999\r\n\r\nbody",
                OK + "Content-Length: \u00b2\r\n\r\nbody",
                OK + "\r\nbody until the close that nobody announced");
    }

    static Stream<String> badCodings() {
        return Stream.of(
                OK + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: gzip\r\n\r\nbody",
                OK + "Transfer-Encoding: gzip, chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked, chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
                OK + "Transfer-Encoding: identity\r\nContent-Length: 4\r\n\r\nbody",
                OK + "Transfer-Encoding:\r\n\r\nbody",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n");
    }

    static Stream<String> badChunks() {
        return Stream.of(
                CHUNKED + "zz\r\nbody\r\n0\r\n\r\n",
                CHUNKED + "\r\nbody\r\n0\r\n\r\n",
                CHUNKED + "-4\r\nbody\r\n0\r\n\r\n",
                CHUNKED + "+4\r\nbody\r\n0\r\n\r\n",
                CHUNKED + " 4\r\nbody\r\n0\r\n\r\n",
                CHUNKED + "0x4\r\nbody\r\n0\r\n\r\n",
                CHUNKED + ";a=b\r\nbody\r\n0\r\n\r\n",
                CHUNKED + "3\r\nbody\r\n0\r\n\r\n",
                CHUNKED + "4\r\nbody0\r\n\r\n",
                CHUNKED + "4\nbody\n0\n\n",
                CHUNKED + "f".repeat(17) + "\r\nbody\r\n0\r\n\r\n",
                CHUNKED + "4;" + "x".repeat(5000) + "\r\nbody\r\n0\r\n\r\n",
                CHUNKED + "4\r\nbody\r\n0\r\nno trailer\r\n\r\n",
                CHUNKED + "4\r\nbody\r\n0\r\n" + "A: b\r\n".repeat(300) + "\r\n");
    }

    @ParameterizedTest
    @MethodSource({"badStarts", "badFields", "badLengths", "badCodings", "badChunks"})
    void malformedResponseIsInDoubt(String response) {
        harness.downstream.at("/bad", Step.raw(response));

        Outcome outcome = harness.send(Harness.post("/bad"));

        assertThat(outcome).isEqualTo(new Outcome.Unknown(Cause.MALFORMED_RESPONSE));
        assertThat(harness.downstream.received()).hasSize(1);
        assertThat(harness.downstream.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("badLengths")
    void brokenConnectionIsNotUsedAgain(String response) {
        harness.downstream.at("/bad", Step.raw(response));
        harness.send(Harness.post("/bad"));

        Outcome next = harness.send(Harness.post("/good"));

        assertThat(next).isInstanceOf(Outcome.Answered.class);
        assertThat(harness.downstream.connections()).isEqualTo(2);
    }
}

package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.Step;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// For every way a connection can die: one request was received, and nobody takes it for more or less than it was.
class ConnectionDeathsIT {

    private static final List<String> METHODS = List.of("POST", "PUT", "PATCH", "DELETE", "GET", "HEAD");

    private Harness harness;

    @BeforeEach
    void start() throws IOException {
        harness = new Harness();
    }

    @AfterEach
    void stop() throws IOException {
        harness.close();
    }

    record Death(String name, Step step, Cause cause) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Death> deaths() {
        return List.of(
                new Death("close after head", Step.early(Step.close()), Cause.CONNECTION_LOST),
                new Death("reset after head", Step.early(Step.reset()), Cause.CONNECTION_LOST),
                new Death("close after request", Step.close(), Cause.CONNECTION_LOST),
                new Death("reset after request", Step.reset(), Cause.CONNECTION_LOST),
                new Death("half-close after request", (_, wire) -> wire.halfClose(), Cause.CONNECTION_LOST),
                new Death("close after 1xx", Step.rawThenClose("HTTP/1.1 100 Continue\r\n\r\n"), Cause.CONNECTION_LOST),
                new Death("close in status line", Step.rawThenClose("HTTP/1.1 204"), Cause.MALFORMED_RESPONSE),
                new Death(
                        "close after status line",
                        Step.rawThenClose("HTTP/1.1 204 No Content\r\n"),
                        Cause.MALFORMED_RESPONSE),
                new Death(
                        "close before the empty line",
                        Step.rawThenClose("HTTP/1.1 204 No Content\r\nETag: 1\r\n"),
                        Cause.MALFORMED_RESPONSE));
    }

    private static List<Death> deathsInBody() {
        String half = "HTTP/1.1 201 Created\r\nContent-Length: 10\r\n\r\nhalf";
        String chunks = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n";
        return List.of(
                new Death("close in body", Step.rawThenClose(half), Cause.MALFORMED_RESPONSE),
                new Death("reset in body", Step.rawThenReset(half), Cause.CONNECTION_LOST),
                new Death("close in chunk", Step.rawThenClose(chunks + "5\r\nhal"), Cause.MALFORMED_RESPONSE),
                new Death("close after chunk", Step.rawThenClose(chunks + "4\r\nhalf\r\n"), Cause.MALFORMED_RESPONSE),
                new Death("close in last chunk", Step.rawThenClose(chunks + "4\r\nhalf\r\n0"),
                        Cause.MALFORMED_RESPONSE),
                new Death(
                        "close before trailers end",
                        Step.rawThenClose(chunks + "4\r\nhalf\r\n0\r\n"),
                        Cause.MALFORMED_RESPONSE),
                new Death(
                        "close of a body without an announced end",
                        Step.rawThenClose("HTTP/1.1 200 OK\r\n\r\nperhaps all"),
                        Cause.MALFORMED_RESPONSE));
    }

    static Stream<Arguments> everyDeath() {
        Stream<Arguments> anywhere =
                METHODS.stream().flatMap(method -> deaths().stream().map(death -> Arguments.of(method, death)));
        Stream<Arguments> inBody = METHODS.stream()
                .filter(method -> !method.equals("HEAD"))
                .flatMap(method -> deathsInBody().stream().map(death -> Arguments.of(method, death)));
        return Stream.concat(anywhere, inBody);
    }

    @ParameterizedTest
    @MethodSource("everyDeath")
    void deadConnectionIsInDoubtAndNothingIsSentAgain(String method, Death death) {
        harness.downstream.at("/die", death.step());

        Outcome outcome = harness.send(Harness.any(method, "/die"));

        assertThat(outcome).isEqualTo(new Outcome.Unknown(death.cause()));
        assertReceivedOnce("/die");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "GET", "HEAD"})
    void connectionClosedOnAcceptIsNeverReplaced(String method) {
        harness.downstream.closeNextConnections(1);

        Outcome outcome = harness.send(Harness.any(method, "/accept"));

        assertThat(outcome).isEqualTo(new Outcome.Unknown(Cause.CONNECTION_LOST));
        assertThat(harness.downstream.connections()).isEqualTo(1);
        assertThat(harness.downstream.received()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "GET", "HEAD"})
    void hangEndsAtPatience(String method) {
        harness.downstream.at("/hang", Step.hang());

        Outcome outcome = harness.send(Harness.any(method, "/hang"), Duration.ofMillis(200));

        assertThat(outcome).isEqualTo(new Outcome.Unknown(Cause.TIMEOUT));
        // A downstream that gets no processor time may see the reset first.
        assertThat(harness.downstream.receivedAt("/hang")).hasSizeLessThanOrEqualTo(1);
        assertThat(harness.downstream.connections()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "GET", "HEAD"})
    void pooledConnectionThatDiesUnderTheRequestIsInDoubt(String method) {
        harness.send(Harness.any(method, "/first"));
        harness.downstream.at("/second", Step.close());

        Outcome outcome = harness.send(Harness.any(method, "/second"));

        assertThat(outcome).isEqualTo(new Outcome.Unknown(Cause.CONNECTION_LOST));
        assertThat(harness.downstream.receivedAt("/second")).hasSize(1);
        assertThat(harness.downstream.connections()).isEqualTo(1);
    }

    /// The race that no check can win: the close is on its way while the request is.
    @Test
    void pooledConnectionThatResetsAsTheRequestArrivesIsInDoubt() {
        harness.send(Harness.post("/first"));
        harness.downstream.at("/second", Step.early(Step.reset()));

        Outcome outcome = harness.send(Harness.post("/second"));

        assertThat(outcome).isEqualTo(new Outcome.Unknown(Cause.CONNECTION_LOST));
        assertThat(harness.downstream.receivedAt("/second")).hasSize(1);
        assertThat(harness.downstream.connections()).isEqualTo(1);
    }

    static Stream<Step> answersThatTemptToSendAgain() {
        return Stream.of(
                Step.reply(301).header("Location", "/elsewhere"),
                Step.reply(302).header("Location", "/elsewhere"),
                Step.reply(303).header("Location", "/elsewhere"),
                Step.reply(307).header("Location", "/elsewhere"),
                Step.reply(308).header("Location", "/elsewhere"),
                Step.reply(401).header("WWW-Authenticate", "Basic realm=\"x\""),
                Step.reply(407).header("Proxy-Authenticate", "Basic realm=\"x\""),
                Step.reply(408),
                Step.reply(408).header("Connection", "close").thenClose(),
                Step.reply(417),
                Step.reply(421),
                Step.reply(425).header("Retry-After", "0"),
                Step.reply(426).header("Upgrade", "h2c").header("Connection", "Upgrade"),
                Step.reply(429).header("Retry-After", "0"),
                Step.reply(500),
                Step.reply(502),
                Step.reply(503).header("Retry-After", "0"),
                Step.reply(504));
    }

    @ParameterizedTest
    @MethodSource("answersThatTemptToSendAgain")
    void answerIsTakenAsItIs(Step answer) {
        for (String method : METHODS) {
            harness.downstream.at("/" + method, answer);

            Outcome outcome = harness.send(Harness.any(method, "/" + method));

            assertThat(outcome).isInstanceOfSatisfying(Outcome.Answered.class, answered -> {
                assertThat(answered.status()).isGreaterThanOrEqualTo(301);
                assertThat(answered.sentWhole()).isTrue();
            });
            assertThat(harness.downstream.receivedAt("/" + method)).hasSize(1);
        }
        assertThat(harness.downstream.received()).hasSize(METHODS.size());
    }

    private void assertReceivedOnce(String path) {
        assertThat(harness.downstream.receivedAt(path)).hasSize(1);
        assertThat(harness.downstream.received()).hasSize(1);
        assertThat(harness.downstream.connections()).isEqualTo(1);
    }
}

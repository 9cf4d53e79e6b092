package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.RawDownstream;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §2: routes, paths and methods, and what the HTTP parser refuses by itself.
@EndToEnd
final class PathIT {

    private final Replica gateway;
    private final RawDownstream downstream;

    PathIT(World world) {
        gateway = world.gateway();
        downstream = world.downstream();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/nowhere", "/nowhere/x", "/paymentsx", "/Payments", "/v1", "/v1/unknown"})
    void pathUnderNoRouteIsNotFound(String path) {
        Expect.refused(gateway.as(ALICE).header("Idempotency-Key", Canary.key()).post(path), 404, "no-such-route");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH", "PUT", "DELETE", "GET", "HEAD", "OPTIONS"})
    void everyMethodOfTheTableIsForwardedOnAPrefixAndBelowIt(String method) {
        String query = "?from=" + method;
        for (String path : new String[] {"/payments", "/payments/below"}) {
            Response answer = gateway.keyed(ALICE, Canary.key()).request(method, path + query);
            assertThat(answer.statusCode()).isEqualTo(201);
        }
        assertThat(downstream.received(r -> r.target().endsWith(query)))
                .extracting(r -> r.method() + " " + r.path())
                .containsExactly(method + " /pay", method + " /pay/below");
    }

    @Test
    void longestPrefixWins() {
        Expect.fresh(gateway.keyed(ALICE, Canary.key()).post("/payments/deep/down/x"), 201);
        Expect.fresh(gateway.keyed(ALICE, Canary.key()).post("/payments/deep/downer"), 201);
        assertThat(downstream.receivedAt("/deep/x")).hasSize(1);
        assertThat(downstream.receivedAt("/pay/deep/downer")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/payments/../escape", "/payments/..", "/payments/./escape", "/payments/%2e%2e/escape",
                "/payments/%2E./escape",
                "/payments/a%2fescape", "/payments/a%2Fescape", "/payments/escape%00", "/payments/..;/escape",
                "/payments/..;x=1/escape", "/payments/escape\\x", "/payments/escape%5cx", "/payments/%zzescape",
                "/payments/escape%", "/payments//escape"
            })
    void pathThatCouldEscapeIsRefused(String path) {
        try (RawCall call = RawCall.to(gateway)) {
            Exchange answer = call.send(
                    "POST", path, "Authorization: Bearer " + ALICE.token(), "Idempotency-Key: " + Canary.key(),
                    "Content-Length: 0")
                    .answer();
            assertThat(answer.text()).contains("/problems/path-invalid");
            assertThat(answer.status()).isEqualTo(400);
        }
        assertThat(downstream.received(r -> r.target().contains("escape"))).isEmpty();
    }

    @Test
    void pathAndQueryGoAsTheyCame() {
        String target = "/odd%20path/%C3%A9;v=1/a+b?q=%20a&q=+&empty=&x=%2F";
        try (RawCall call = RawCall.to(gateway)) {
            call.send(
                    "POST", "/payments" + target, "Authorization: Bearer " + ALICE.token(),
                    "Idempotency-Key: " + Canary.key(), "Content-Length: 0")
                    .answer();
        }
        assertThat(downstream.received(r -> r.target().equals("/pay" + target))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "PURGE", "post"})
    void methodOutsideTheTableIsRefused(String method) {
        for (String path : new String[] {"/payments", "/payments/other-method"}) {
            try (RawCall call = RawCall.to(gateway)) {
                Exchange answer = call.send(method, path, "Authorization: Bearer " + ALICE.token()).answer();
                assertThat(answer.status()).isEqualTo(405);
                assertThat(answer.text()).contains("/problems/method-not-allowed");
                assertThat(answer.headers().first("Allow").orElse("")).contains("POST", "DELETE");
            }
        }
        assertThat(downstream.receivedAt("/pay/other-method")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /payments HTTP/1.1\r\n\r\n", "rubbish\r\n\r\n",
        "GET /payments HTTP/1.1\r\nHost : x\r\n\r\n"})
    void whatTheParserRefusesIsAProblemToo(String bytes) {
        try (RawCall call = RawCall.to(gateway)) {
            Exchange answer = call.write(bytes.getBytes(StandardCharsets.ISO_8859_1)).answer();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.headers().first("Content-Type").orElse("")).startsWith("application/problem+json");
            assertThat(answer.text())
                    .contains("/problems/request-invalid")
                    .doesNotContain("Exception", "Jetty", "at org.");
        }
    }
}

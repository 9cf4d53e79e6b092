package dev.latchkey.server;

import static dev.latchkey.server.RunningServer.delivered;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Response;
import dev.latchkey.protocol.State;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallsIT {

    private static final String ALPHA = "Authorization: Bearer alpha-token";
    private static final String KEY = "Idempotency-Key: k-1";

    private final RunningServer server = new RunningServer(RunningServer.twoClients(), NoLedger.make());

    @AfterEach
    void close() {
        server.close();
    }

    private RawClient.Raw send(String line, String body, String... headers) throws IOException {
        return server.client.send(line + " HTTP/1.1", body, headers);
    }

    private static void assertProblem(RawClient.Raw raw, int status, String slug) {
        assertThat(raw.status()).as(raw.text()).isEqualTo(status);
        assertThat(raw.first("Content-Type")).isEqualTo("application/problem+json");
        assertThat(raw.text())
                .contains("\"type\":\"/problems/" + slug + "\"", "\"title\"", "\"status\":" + status, "\"detail\"",
                        "\"instance\":\"urn:uuid:", "\"state\":", "\"forwarded\":", "\"retry_same_key\":",
                        "\"new_key_safe\":")
                .doesNotContain("dev.latchkey", "jetty", "javalin");
        assertThat(raw.first("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void aCallComesThroughAsItWasSent() throws IOException {
        RawClient.Raw raw = send(
                "POST /payments/refunds/a%20b/?y=%zz&q=[]", "{\"a\":1}", ALPHA, KEY, "Latchkey-Token: other",
                "X-Two: one", "X-Two: t\u00fcwo", "Content-Type: Application/JSON; Charset=UTF-8");
        assertThat(raw.status()).isEqualTo(200);
        assertThat(raw.text()).isEqualTo("fine");
        assertThat(server.call().door().name()).isEqualTo("refunds");
        assertThat(server.call().caller().oldestName()).isEqualTo("alpha-old");
        assertThat(server.call().pathBelow()).isEqualTo("/a%20b/");
        assertThat(server.call().request().target()).isEqualTo("/payments/refunds/a%20b/?y=%zz&q=[]");
        assertThat(server.call().request().body().utf8()).isEqualTo("{\"a\":1}");
        assertThat(server.call().request().headers().all("X-Two")).containsExactly("one", "t\u00fcwo");
        assertThat(server.call().request().headers().all("Content-Type"))
                .containsExactly("Application/JSON; Charset=UTF-8");
        assertThat(server.call().request().headers().has("Authorization")).isFalse();
        assertThat(server.call().request().headers().has("Latchkey-Token")).isFalse();
        assertThat(server.call().origin().host()).isEqualTo("gateway.test");
        assertThat(server.call().origin().remoteAddress()).isEqualTo("127.0.0.1");
        assertThat(server.call().origin().protocol()).isEqualTo("1.1");
    }

    @Test
    void whatLooksLikeAWebSocketIsACallLikeAnyOther() throws IOException {
        String[] upgrade = {"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"};
        RawClient.Raw nobody = send("GET /payments", "", upgrade);
        assertProblem(nobody, 401, "unauthenticated");
        assertThat(nobody.all("Set-Cookie")).isEmpty();
        assertThat(send("GET /payments", "", ALPHA, upgrade[0], upgrade[1]).text()).isEqualTo("fine");
    }

    @Test
    void aChunkedBodyComesWhole() throws IOException {
        send("POST /payments", "3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n", ALPHA, KEY, "Transfer-Encoding: chunked");
        assertThat(server.call().request().body().utf8()).isEqualTo("abcdefg");
        assertThat(server.budget.held()).isZero();
    }

    @Test
    void withoutAValidTokenNobodyIsLetIn() throws IOException {
        RawClient.Raw raw = send("POST /payments", "{}", "Authorization: Bearer wrong", KEY);
        assertProblem(raw, 401, "unauthenticated");
        assertThat(raw.first("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(raw.first("Idempotency-Key")).isEqualTo("\"k-1\"");
        assertThat(raw.first("Idempotent-Replayed")).isEqualTo("false");
        assertThat(server.nothingCameThrough()).isTrue();
    }

    @Test
    void aClientIsHeldToItsRoutes() throws IOException {
        assertProblem(send("POST /payments", "", "Latchkey-Token: held-token", KEY), 403, "route-forbidden");
        assertThat(send("POST /mail", "", "Latchkey-Token: held-token", KEY).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/paymentsx", "/", "/Payments", "/payments;x=1"})
    void aPathUnderNoRouteIsNoRoute(String path) throws IOException {
        assertProblem(send("POST " + path, "", ALPHA, KEY), 404, "no-such-route");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/payments/../mail", "/payments/%2e%2e/mail", "/payments/.%2E/x", "/payments/..;/x",
                "/payments/%2e%2e;a=b/x",
                "/payments/./x", "/payments/.", "/payments/a%2fb", "/payments/a%2Fb", "/payments/a%5cb",
                "/payments/a\\b",
                "/payments/a%00b", "/payments//x", "/payments/x//", "/payments/a%zzb", "/payments/a%2", "/payments/a%",
                "/payments/%u002e", "/payments/;/x", "/payments/\u00e9"
            })
    void aPathThatCouldReachElsewhereIsRefused(String path) throws IOException {
        assertProblem(send("POST " + path, "", ALPHA, KEY), 400, "path-invalid");
        assertThat(server.nothingCameThrough()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE /payments", "FOO /payments", "post /payments", "CONNECT gateway.test:80"})
    void anUnknownMethodIsRefused(String line) throws IOException {
        RawClient.Raw raw = send(line, "", ALPHA);
        assertProblem(raw, 405, "method-not-allowed");
        assertThat(raw.first("Allow")).isEqualTo(CallHandler.ALLOW);
    }

    @Test
    void aBodyOverTheLimitIsRefused() throws IOException {
        assertProblem(send("POST /payments", "x".repeat(100_001), ALPHA, KEY), 413, "body-too-large");
        assertProblem(
                send("POST /payments", "186a1\r\n" + "x".repeat(100_001) + "\r\n0\r\n\r\n", ALPHA, KEY,
                        "Transfer-Encoding: chunked"),
                413, "body-too-large");
        assertThat(send("POST /payments", "x".repeat(100_000), ALPHA, KEY).status()).isEqualTo(200);
        assertThat(server.budget.held()).isZero();
    }

    @Test
    void aReplicaThatHoldsAllItMayRefuses() throws IOException {
        try (var share = server.budget.open()) {
            share.grow(299_000);
            RawClient.Raw raw = send("POST /payments", "x".repeat(50_000), ALPHA, KEY);
            assertProblem(raw, 503, "overloaded");
            assertThat(raw.first("Retry-After")).isEqualTo("1");
        }
        assertThat(send("POST /payments", "x".repeat(50_000), ALPHA, KEY).status()).isEqualTo(200);
    }

    @Test
    void keysAreAskedForAsTheRouteSays() throws IOException {
        assertProblem(send("POST /payments", "", ALPHA), 400, "key-missing");
        assertProblem(send("POST /payments", "", ALPHA, "Idempotency-Key:"), 400, "key-missing");
        assertProblem(send("POST /payments", "", ALPHA, "Idempotency-Key: a b"), 400, "key-invalid");
        assertProblem(send("POST /payments", "", ALPHA, KEY, KEY), 400, "key-invalid");
        assertProblem(send("PUT /payments", "", ALPHA, "Idempotency-Key: a,b"), 400, "key-invalid");
        assertProblem(send("POST /orders", "{}", ALPHA), 400, "key-missing");
        assertProblem(send("POST /orders", "{\"id\":true}", ALPHA), 400, "key-invalid");
        assertThat(server.nothingCameThrough()).isTrue();
    }

    @Test
    void aKeyIsEchoedInItsStructuredForm() throws IOException {
        RawClient.Raw raw = send("POST /payments", "", ALPHA, KEY);
        assertThat(raw.first("Idempotency-Key")).isEqualTo("\"k-1\"");
        assertThat(raw.first("Idempotent-Replayed")).isEqualTo("false");
        assertThat(raw.first("Idempotency-State")).isEqualTo("recorded");
    }

    @Test
    void aKeyIsMadeFromTheBodyWhereTheCallerSendsNone() throws IOException {
        RawClient.Raw raw = send("POST /orders", "{\"id\": 17}", ALPHA);
        assertThat(raw.first("Idempotency-Key")).isEqualTo("\"order:17\"");
        send("POST /orders", "{\"id\": 17}", ALPHA, KEY);
        assertThat(server.call().key()).hasToString("key of 3 characters");
    }

    @Test
    void withoutAKeyNothingIsSaidOfKeys() throws IOException {
        server.answer(new Answer.Delivered(
                new Response(200, Headers.of("X", "y"), Body.ofUtf8("z")), null, false, null, null, null));
        for (String line : List.of("GET /payments", "HEAD /payments", "OPTIONS /payments", "PUT /payments",
                "POST /mail")) {
            RawClient.Raw raw = send(line, "", ALPHA, line.startsWith("P") ? "A: b" : KEY);
            assertThat(raw.status()).isEqualTo(200);
            assertThat(server.call().key()).isNull();
            assertThat(raw.lines()).noneMatch(name -> name.startsWith("Idempot"));
        }
    }

    @ParameterizedTest
    @CsvSource({"wait=7, 7, wait=7", "wait=500, 50, wait=50", "'respond-async, wait=\"3\"', 3, wait=3",
        "wait=0, 0, wait=0"})
    void theWaitThatHoldsIsSaid(String prefer, long seconds, String applied) throws IOException {
        RawClient.Raw raw = send("POST /payments", "", ALPHA, KEY, "Prefer: " + prefer);
        assertThat(server.call().patience()).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(raw.first("Preference-Applied")).isEqualTo(applied);
    }

    @Test
    void anUnreadableWaitIsIgnored() throws IOException {
        RawClient.Raw raw = send("POST /payments", "", ALPHA, KEY, "Prefer: wait=soon");
        assertThat(server.call().patience()).isNull();
        assertThat(raw.all("Preference-Applied")).isEmpty();
    }

    @Test
    void everyByteAndEveryFieldComesBack() throws IOException {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        server.answer(new Answer.Delivered(
                new Response(
                        201,
                        new Headers(List.of(
                                new Header("content-TYPE", "Text/Plain; Charset=x"),
                                new Header("Link", "<a>; rel=\"b\""),
                                new Header("Link", "<c>"), new Header("X-Obs", "\u00e9\u00ff\u0080"),
                                new Header("Connection", "X-Hop"), new Header("X-Hop", "gone"),
                                new Header("Keep-Alive", "timeout=5"), new Header("Content-Length", "256"),
                                new Header("Date", "Sun, 04 Jan 2026 09:00:00 GMT"),
                                new Header("Idempotency-State", "forged"), new Header("Set-Cookie", "a=b"))),
                        Body.of(all)),
                State.RECORDED, true, Instant.parse("2026-06-03T04:05:06.7Z"), Instant.parse("2026-09-01T00:00:00Z"),
                "verdict"));
        RawClient.Raw raw = send("POST /payments", "", ALPHA, KEY);
        assertThat(raw.status()).isEqualTo(201);
        assertThat(raw.body()).isEqualTo(all);
        assertThat(raw.all("Content-Type")).containsExactly("Text/Plain; Charset=x");
        assertThat(raw.all("Link")).containsExactly("<a>; rel=\"b\"", "<c>");
        assertThat(raw.first("X-Obs")).isEqualTo("\u00e9\u00ff\u0080");
        assertThat(raw.all("X-Hop")).isEmpty();
        assertThat(raw.all("Keep-Alive")).isEmpty();
        assertThat(raw.all("Content-Length")).containsExactly("256");
        assertThat(raw.all("Date")).singleElement().isNotEqualTo("Sun, 04 Jan 2026 09:00:00 GMT");
        assertThat(raw.all("Idempotency-State")).containsExactly("recorded");
        assertThat(raw.first("Idempotent-Replayed")).isEqualTo("true");
        assertThat(raw.first("Idempotency-Recorded-At")).isEqualTo("Wed, 03 Jun 2026 04:05:06 GMT");
        assertThat(raw.first("Idempotency-Expires")).isEqualTo("Tue, 01 Sep 2026 00:00:00 GMT");
        assertThat(raw.first("Idempotency-Settled-By")).isEqualTo("verdict");
        assertThat(raw.all("Server")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/html; charset=utf-8", "text/plain;charset=UTF-8", "application/JSON", "Text/HTML"})
    void aMediaTypeComesBackByteForByte(String type) throws IOException {
        server.answer(delivered(new Response(200, Headers.of("content-type", type), Body.ofUtf8("{}"))));
        assertThat(send("POST /payments", "", ALPHA, KEY).lines()).contains("content-type: " + type);
    }

    @Test
    void aFreshAnswerKeepsItsDate() throws IOException {
        server.answer(delivered(new Response(
                200, Headers.of("Date", "Sun, 04 Jan 2026 09:00:00 GMT", "Server", "d"), Body.empty())));
        RawClient.Raw raw = send("POST /payments", "", ALPHA, KEY);
        assertThat(raw.all("Date")).containsExactly("Sun, 04 Jan 2026 09:00:00 GMT");
        assertThat(raw.all("Server")).containsExactly("d");
        assertThat(raw.all("Content-Length")).containsExactly("0");
        assertThat(raw.all("Content-Type")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 304})
    void statusesWithoutABodyHaveNone(int status) throws IOException {
        server.answer(delivered(new Response(status, Headers.of("ETag", "\"a\""), Body.empty())));
        RawClient.Raw raw = send("POST /payments", "", ALPHA, KEY);
        assertThat(raw.status()).isEqualTo(status);
        assertThat(raw.body()).isEmpty();
        assertThat(raw.all("Content-Length")).isEmpty();
        assertThat(raw.first("ETag")).isEqualTo("\"a\"");
    }

    @Test
    void headHasFieldsAndNoBody() throws IOException {
        server.answer(delivered(new Response(
                200, Headers.of("Content-Type", "text/plain", "Content-Length", "4"), Body.empty())));
        RawClient.Raw raw = send("HEAD /payments", "", ALPHA);
        assertThat(raw.status()).isEqualTo(200);
        assertThat(raw.body()).isEmpty();
        assertThat(raw.all("Content-Length")).containsExactly("4");
        assertThat(raw.first("Content-Type")).isEqualTo("text/plain");
    }

    @Test
    void aMebibyteComesBackWhole() throws IOException {
        byte[] large = new byte[1 << 20];
        java.util.Arrays.fill(large, (byte) 'x');
        server.answer(delivered(new Response(200, Headers.empty(), Body.of(large))));
        assertThat(send("POST /payments", "", ALPHA, KEY).body()).isEqualTo(large);
    }

    @Test
    void nothingIsCompressedUnasked() throws IOException {
        server.answer(delivered(new Response(200, Headers.of("ETag", "\"a\""), Body.ofUtf8("x".repeat(10_000)))));
        RawClient.Raw raw = send("POST /payments", "", ALPHA, KEY, "Accept-Encoding: gzip");
        assertThat(raw.all("Content-Encoding")).isEmpty();
        assertThat(raw.body()).hasSize(10_000);
    }

    @Test
    void anExceptionTellsNothingOfItself() throws IOException {
        server.answer(call -> {
            throw new IllegalStateException("secret in dev.latchkey");
        });
        RawClient.Raw raw = send("POST /payments", "", ALPHA, KEY);
        assertProblem(raw, 500, "internal-error");
        assertThat(raw.text()).doesNotContain("secret").contains("\"retry_same_key\":true");
    }

    @Test
    void aLostLedgerIsSaid() throws IOException {
        server.answer(call -> {
            throw new LedgerUnavailable("away", false, null);
        });
        RawClient.Raw raw = send("POST /payments", "", ALPHA, KEY);
        assertProblem(raw, 503, "ledger-unavailable");
        assertThat(raw.first("Retry-After")).isEqualTo("1");
    }

    @Test
    void aReplicaThatLeavesClosesThenRefuses() throws IOException {
        server.drain.leave();
        RawClient.Raw leaving = server.client.sendRaw(
                "POST /payments HTTP/1.1\r\nHost: x\r\n" + ALPHA + "\r\n" + KEY + "\r\nContent-Length: 0\r\n\r\n");
        assertThat(leaving.status()).isEqualTo(200);
        assertThat(leaving.first("Connection")).isEqualTo("close");
        server.drain.refuse();
        assertProblem(send("POST /payments", "", ALPHA, KEY), 503, "draining");
    }

    @Test
    void callsAreCounted() throws IOException {
        send("POST /payments", "", ALPHA, KEY);
        send("POST /nowhere", "", ALPHA, KEY);
        // A call is counted once its answer has gone.
        await().untilAsserted(() -> assertThat(server.metrics.scrape())
                .contains("latchkey_calls_seconds_count{answer=\"fresh\",route=\"payments\",status_class=\"2xx\"} 1")
                .contains(
                        "latchkey_calls_seconds_count{answer=\"no-such-route\",route=\"none\",status_class=\"4xx\"} 1"));
    }
}

package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.Call;
import dev.latchkey.gateway.HeldBodies;
import dev.latchkey.gateway.HeldBody;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Response;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import dev.latchkey.testing.BatchCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Batches over a real socket, their calls answered by the test.
class BatchPagesIT {

    private static final Duration IDLE = Duration.ofMillis(700);
    private static final String TOKEN = "alpha-token";
    private static final String AUTHORIZED = "Authorization: Bearer " + TOKEN;

    private final RunningServer server = new RunningServer(
            RunningServer.twoClients(), NoLedger.make(), IDLE, 2_000_000);
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final Map<String, Call> seen = new ConcurrentHashMap<>();

    @AfterEach
    void nothingIsLeft() {
        gates.values().forEach(CountDownLatch::countDown);
        await().until(() -> server.drain.underWay() == 0);
        assertThat(server.budget.held()).isZero();
        server.close();
    }

    /// Answers each call once the gate of its path is open; one without a gate at once.
    private void answerThroughGates() {
        server.answer(call -> {
            String path = call.request().path();
            seen.put(path, call);
            passed(gates.get(path));
            return RunningServer.ok("done " + path);
        });
    }

    private CountDownLatch gate(String path) {
        return gates.computeIfAbsent(path, _ -> new CountDownLatch(1));
    }

    private static void passed(@Nullable CountDownLatch gate) {
        try {
            if (gate != null && !gate.await(60, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the test never opened the gate");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private BatchCall batch() throws IOException {
        return BatchCall.to(server.port(), TOKEN);
    }

    private static String post(String path, String key) {
        return "{\"path\": \"" + path + "\", \"key\": \"" + key + "\", \"body\": {}}";
    }

    private static JsonNode next(BatchCall batch) throws IOException {
        JsonNode answer = batch.answer();
        return Objects.requireNonNull(answer, "the batch ended early");
    }

    private RawClient.Raw send(String line, String body, String... headers) throws IOException {
        return server.client.send(line + " HTTP/1.1", body, headers);
    }

    @Test
    void answersComeInTheOrderOfTheirCompletion() throws IOException {
        answerThroughGates();
        CountDownLatch slow = gate("/payments/slow");
        try (BatchCall batch = batch()) {
            batch.line(post("/payments/slow", "k-0")).line("").line(post("/payments/fast", "k-2"));
            JsonNode fast = next(batch);
            assertThat(fast.path("index").asInt()).isEqualTo(2);
            assertThat(fast.path("key").asText()).isEqualTo("k-2");
            assertThat(fast.path("status").asInt()).isEqualTo(200);
            assertThat(fast.path("body").asText()).isEqualTo("done /payments/fast");
            assertThat(fast.path("state").asText()).isEqualTo("recorded");
            assertThat(fast.path("headers").path("Idempotency-Key").asText()).isEqualTo("\"k-2\"");
            slow.countDown();
            assertThat(next(batch).path("index").asInt()).isZero();
            batch.end();
            assertThat(batch.answer()).isNull();
            assertThat(batch.head()).startsWith("HTTP/1.1 200").contains(
                    "Content-Type: application/x-ndjson", "Cache-Control: no-store", "Transfer-Encoding: chunked");
        }
    }

    @Test
    void lineIsACallLikeAnyOther() throws IOException {
        answerThroughGates();
        try (BatchCall batch = batch()) {
            batch.line(
                    """
                            {"method": "PUT", "path": "/payments/refunds/a%20b?y=%zz", "key": "a \\"b\\"", "body": {"amount": 25.50},\
                             "headers": {"Authorization": "Bearer beta-token", "Latchkey-Token": "x", "X-Two": ["one", "tüwo"],\
                             "Prefer": "wait=3"}}""")
                    .end();
            JsonNode answer = next(batch);
            assertThat(answer.path("status").asInt()).as("%s", answer).isEqualTo(200);
            assertThat(answer.path("key").asText()).isEqualTo("a \"b\"");
            assertThat(answer.path("headers").path("Preference-Applied").asText()).isEqualTo("wait=3");
        }
        Call call = server.call();
        assertThat(call.caller().oldestName()).isEqualTo("alpha-old");
        assertThat(call.door().name()).isEqualTo("refunds");
        assertThat(call.pathBelow()).isEqualTo("/a%20b");
        assertThat(call.request().method()).isEqualTo("PUT");
        assertThat(call.request().target()).isEqualTo("/payments/refunds/a%20b?y=%zz");
        assertThat(call.request().body().utf8()).isEqualTo("{\"amount\": 25.50}");
        assertThat(call.request().headers().all("Content-Type")).containsExactly("application/json");
        assertThat(call.request().headers().all("X-Two")).containsExactly("one", "t\u00fcwo");
        assertThat(call.request().headers().has("Authorization")).isFalse();
        assertThat(call.request().headers().has("Latchkey-Token")).isFalse();
        assertThat(call.patience()).isEqualTo(Duration.ofSeconds(3));
        assertThat(call.origin().remoteAddress()).isEqualTo("127.0.0.1");
        assertThat(call.origin().host()).isEqualTo("gateway.test");
    }

    @Test
    void lineThatNamesNoTraceIsPartOfTheBatchs() throws IOException {
        answerThroughGates();
        String batch = "4bf92f3577b34da6a3ce929d0e0e4736";
        String own = batch.replace('4', '5');
        String parent = "-00f067aa0ba902b7-01";
        send("POST /v1/batches",
                "{\"path\": \"/payments/a\", \"key\": \"a\", \"headers\": {\"tracestate\": \"own=1\"}}\n"
                        + "{\"path\": \"/payments/b\", \"key\": \"b\", \"headers\": {\"traceparent\": \"00-" + own
                        + parent
                        + "\"}}\n",
                AUTHORIZED, "Content-Type: application/x-ndjson", "traceparent: 00-" + batch + parent,
                "tracestate: vendor=1");
        Call inherited = Objects.requireNonNull(seen.get("/payments/a"));
        assertThat(inherited.trace().id()).isEqualTo(batch);
        assertThat(inherited.trace().isContinued()).isTrue();
        assertThat(inherited.request().headers().all("tracestate")).containsExactly("vendor=1");
        Call other = Objects.requireNonNull(seen.get("/payments/b"));
        assertThat(other.trace().id()).isEqualTo(own);
        assertThat(other.request().headers().has("tracestate")).isFalse();
    }

    @Test
    void badLineIsAnAnswerAndNotTheEnd() throws IOException {
        answerThroughGates();
        String tooLong = "{\"path\": \"/payments\", \"body\": \"" + "x".repeat(250_000) + "\"}";
        String large = "{\"path\": \"/payments\", \"key\": \"k\", \"body\": \"" + "x".repeat(100_001) + "\"}";
        List<String> lines = List.of(
                "no json", "[]", tooLong, large, "{\"path\": \"/nowhere\"}", "{\"path\": \"/payments/../x\"}",
                "{\"path\": \"/payments\"}", "{\"method\": \"BREW\", \"path\": \"/payments\"}",
                "{\"path\": \"/payments\", \"key\": \"\u00e9\"}", post("/payments", "good"));
        try (BatchCall batch = batch()) {
            for (String line : lines) {
                batch.line(line);
            }
            List<JsonNode> answers = batch.end().answers();
            assertThat(answers).extracting(a -> a.path("index").asInt() + " " + a.path("status").asInt())
                    .containsExactlyInAnyOrder(
                            "0 400", "1 400", "2 413", "3 413", "4 404", "5 400", "6 400", "7 405", "8 400", "9 200");
            assertThat(answers).filteredOn(answer -> answer.path("status").asInt() >= 400).allSatisfy(answer -> {
                assertThat(answer.path("headers").path("Content-Type").asText()).isEqualTo("application/problem+json");
                assertThat(answer.path("body").asText()).contains("\"type\":\"/problems/")
                        .contains("#" + answer.path("index").asInt() + "\"");
                assertThat(answer.path("state").isNull()).isTrue();
            });
        }
        assertThat(server.metrics.scrape()).contains("answer=\"key-missing\"", "answer=\"body-too-large\"");
    }

    @Test
    void clientHeldToOtherRoutesIsRefusedLineByLine() throws IOException {
        answerThroughGates();
        try (BatchCall batch = BatchCall.to(server.port(), "held-token")) {
            List<JsonNode> answers = batch.line(post("/payments", "k")).line(post("/mail", "k")).end().answers();
            assertThat(answers).extracting(a -> a.path("index").asInt() + " " + a.path("status").asInt())
                    .containsExactlyInAnyOrder("0 403", "1 200");
        }
    }

    @Test
    void batchHasItsOwnBoundOfLinesUnderWay() throws IOException {
        answerThroughGates();
        try (BatchCall batch = batch()) {
            for (int i = 0; i < 6; i++) {
                gate("/payments/" + i);
                batch.line(post("/payments/" + i, "k-" + i));
            }
            await().until(() -> seen.size() == 4);
            gate("/payments/2").countDown();
            assertThat(next(batch).path("index").asInt()).isEqualTo(2);
            await().until(() -> seen.size() == 5);
            gates.values().forEach(CountDownLatch::countDown);
            assertThat(batch.end().answers()).hasSize(5);
        }
        assertThat(seen).hasSize(6);
    }

    @Test
    void batchThatCameFirstDoesNotTakeEveryPlace() throws IOException {
        answerThroughGates();
        for (int i = 0; i < 8; i++) {
            gate("/payments/large/" + i);
            gate("/payments/small/" + i);
        }
        try (BatchCall large = batch(); BatchCall small = batch()) {
            for (int i = 0; i < 8; i++) {
                large.line(post("/payments/large/" + i, "l-" + i));
            }
            await().until(() -> seen.size() == 4);
            for (int i = 0; i < 4; i++) {
                small.line(post("/payments/small/" + i, "s-" + i));
            }
            await().until(() -> seen.size() == 6);
            gate("/payments/large/0").countDown();
            await().until(() -> seen.size() == 7);
            assertThat(seen).containsKey("/payments/small/2").doesNotContainKey("/payments/large/4");
            gates.values().forEach(CountDownLatch::countDown);
            assertThat(small.end().answers()).hasSize(4);
            assertThat(large.end().answers()).hasSize(8);
        }
    }

    @Test
    void callerWhoSendsAllBeforeItReadsIsServed() throws IOException {
        answerThroughGates();
        try (BatchCall batch = batch()) {
            for (int i = 0; i < 300; i++) {
                batch.line(post("/payments/" + i, "k-" + i));
            }
            batch.end();
            await().until(() -> seen.size() == 300);
            assertThat(batch.answers()).hasSize(300);
        }
    }

    @Test
    void callerWhoNeitherReadsNorIsReadFromIsCutInTheEnd() throws IOException {
        server.answer(call -> RunningServer.ok("x".repeat(90_000)));
        try (BatchCall batch = batch()) {
            assertThatThrownBy(() -> {
                for (int i = 0; i < 100_000; i++) {
                    batch.line(post("/payments/" + i, "k-" + i));
                }
            }).isInstanceOf(IOException.class);
        }
    }

    @Test
    void idleTimeoutDoesNotCutLinesUnderWay() throws Exception {
        answerThroughGates();
        try (BatchCall batch = batch()) {
            gate("/payments/slow");
            batch.line(post("/payments/slow", "k-0"));
            await().until(() -> seen.containsKey("/payments/slow"));
            silence();
            batch.line(post("/payments/later", "k-1"));
            assertThat(next(batch).path("index").asInt()).isEqualTo(1);
            batch.end();
            silence();
            gate("/payments/slow").countDown();
            assertThat(next(batch).path("index").asInt()).isZero();
            assertThat(batch.answer()).isNull();
        }
    }

    @Test
    void callerWhoStaysSilentWithNothingUnderWayIsCut() throws Exception {
        answerThroughGates();
        try (BatchCall batch = batch()) {
            batch.line(post("/payments/one", "k-0"));
            next(batch);
            assertThatThrownBy(batch::answer).isInstanceOf(IOException.class);
        }
    }

    /// Ends between two expiries: a write in the very millisecond of one would be cut, whatever is under way.
    private static void silence() {
        await().pollDelay(IDLE.multipliedBy(5).dividedBy(2)).until(() -> true);
    }

    @Test
    void whatHasNotBegunWhenTheCallerHangsUpDoesNotBegin() throws IOException {
        answerThroughGates();
        AtomicInteger begun = new AtomicInteger();
        server.answer(call -> {
            begun.incrementAndGet();
            passed(gate("all"));
            return RunningServer.ok("x".repeat(50_000));
        });
        try (BatchCall batch = batch()) {
            for (int i = 0; i < 200; i++) {
                batch.line(post("/payments/" + i, "k-" + i));
            }
            await().until(() -> begun.get() == 4);
        }
        gate("all").countDown();
        await().until(() -> server.drain.underWay() == 0);
        assertThat(begun.get()).isLessThan(200);
    }

    @Test
    void halfALineOfACallerWhoHangsUpIsNoCall() throws IOException {
        answerThroughGates();
        try (BatchCall batch = batch()) {
            batch.line(post("/payments/whole", "k-0"));
            next(batch);
            batch.chunk(post("/payments/half", "k-1").getBytes(StandardCharsets.UTF_8));
        }
        await().until(() -> server.drain.underWay() == 0);
        assertThat(seen).containsOnlyKeys("/payments/whole");
    }

    @Test
    void lastLineNeedsNoEndOfItsOwn() throws IOException {
        answerThroughGates();
        try (BatchCall batch = batch()) {
            batch.chunk((post("/payments/a", "a") + "\r\n\r\n" + post("/payments/b", "b")).getBytes(
                    StandardCharsets.UTF_8));
            assertThat(batch.end().answers()).extracting(a -> a.path("index").asInt()).containsExactlyInAnyOrder(0, 2);
        }
    }

    @Test
    void lineWaitsForAPlaceThatTheBatchItselfFills() throws IOException {
        AtomicInteger tries = new AtomicInteger();
        server.answer(call -> {
            if (call.request().path().equals("/payments/first")) {
                passed(gate("first"));
                return RunningServer.ok("first");
            }
            int tried = tries.incrementAndGet();
            return tried < 4
                    ? new Answer.Refused(Refusal.of(
                            tried % 2 == 0 ? Problem.OVERLOADED : Problem.TOO_MANY_CALLS, "no place"))
                    : RunningServer.ok("second");
        });
        try (BatchCall batch = batch()) {
            batch.line(post("/payments/first", "k-0")).line(post("/payments/second", "k-1")).end();
            assertThat(next(batch).path("body").asText()).isEqualTo("second");
            gate("first").countDown();
            assertThat(next(batch).path("body").asText()).isEqualTo("first");
        }
        assertThat(tries).hasValue(4);
    }

    @Test
    void linesNotBegunWhenTheReplicaLeavesAreToldSo() throws IOException {
        answerThroughGates();
        gate("/payments/under-way");
        try (BatchCall batch = batch()) {
            batch.line(post("/payments/under-way", "k-0"));
            await().until(() -> seen.containsKey("/payments/under-way"));
            assertThat(server.drain.underWay()).isEqualTo(1);
            server.drain.refuse();
            batch.line(post("/payments/late", "k-1"));
            JsonNode late = next(batch);
            assertThat(late.path("status").asInt()).isEqualTo(503);
            assertThat(late.path("body").asText()).contains("/problems/draining");
            gate("/payments/under-way").countDown();
            assertThat(next(batch).path("status").asInt()).isEqualTo(200);
            batch.end();
            assertThat(batch.answer()).isNull();
        }
        assertThat(seen).containsOnlyKeys("/payments/under-way");
        assertThat(send("POST /v1/batches", "{}", AUTHORIZED).text()).contains("/problems/draining");
    }

    @Test
    void whatIsThrownIsThatLinesAnswer() throws IOException {
        server.answer(call -> {
            return switch (call.request().path()) {
                case "/payments/away" -> throw new LedgerUnavailable("away", true, new IOException("away"));
                case "/payments/broken" -> throw new IllegalStateException("broken");
                default -> RunningServer.ok("fine");
            };
        });
        try (BatchCall batch = batch()) {
            batch.line(post("/payments/away", "a")).line(post("/payments/broken", "b")).line(post("/payments/c", "c"));
            assertThat(batch.end().answers()).extracting(a -> a.path("index").asInt() + " " + a.path("status").asInt())
                    .containsExactlyInAnyOrder("0 503", "1 500", "2 200");
        }
    }

    @Test
    void bodyThatIsNoTextComesInBase64AndRepeatedFieldsAsArrays() throws IOException {
        server.answer(RunningServer.delivered(new Response(
                201, Headers.of("Link", "<a>", "Link", "<b>", "Content-Length", "2"),
                Body.of(new byte[] {(byte) 0xC3, 0}))));
        try (BatchCall batch = batch()) {
            JsonNode answer = batch.line(post("/payments/x", "k")).end().answers().getFirst();
            assertThat(answer.path("body_base64").asText()).isEqualTo("wwA=");
            assertThat(answer.has("body")).isFalse();
            assertThat(answer.path("headers").path("Link").toString()).isEqualTo("[\"<a>\",\"<b>\"]");
            assertThat(answer.path("headers").has("Content-Length")).isFalse();
        }
    }

    @Test
    void responseTooLargeToKeepIsNotInABatch() throws IOException {
        HeldBody body = HeldBodies.begun(-1, new byte[100_000]);
        HeldBodies.release(body);
        server.answer(new Answer.Streamed(201, Headers.of("X", "y"), body, State.CLAIMED));
        try (BatchCall batch = batch()) {
            JsonNode answer = batch.line(post("/payments/x", "k")).end().answers().getFirst();
            assertThat(answer.path("status").asInt()).isEqualTo(502);
            assertThat(answer.path("state").asText()).isEqualTo("claimed");
            assertThat(answer.path("body").asText()).contains("outcome-unknown", "\"retry_same_key\":true");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/x-ndjson; charset=utf-8", "application/ndjson", "APPLICATION/JSONL"})
    void otherNamesOfTheMediaTypeAreTaken(String type) throws IOException {
        answerThroughGates();
        RawClient.Raw raw = send("POST /v1/batches", post("/payments/x", "k"), AUTHORIZED, "Content-Type: " + type);
        assertThat(raw.status()).isEqualTo(200);
        assertThat(raw.text()).contains("\"index\":0");
    }

    @Test
    void batchThatIsNoneIsRefusedWhole() throws IOException {
        answerThroughGates();
        assertThat(send("POST /v1/batches", "{}").text()).contains("/problems/unauthenticated");
        assertThat(send("POST /v1/batches", "{}", AUTHORIZED, "Content-Type: application/json").text())
                .contains("/problems/request-invalid");
        assertThat(send("POST /v1/batches", "{}", AUTHORIZED, "Content-Encoding: gzip").text())
                .contains("/problems/request-invalid");
        assertThat(send("POST /v1/batches?wait=1", "{}", AUTHORIZED).text()).contains("/problems/request-invalid");
        RawClient.Raw get = send("GET /v1/batches", "", AUTHORIZED);
        assertThat(get.status()).isEqualTo(405);
        assertThat(get.first("Allow")).contains("POST");
        assertThat(seen).isEmpty();
    }

    @Test
    void emptyBatchHasNoAnswers() throws IOException {
        RawClient.Raw raw = send("POST /v1/batches", "", AUTHORIZED, "Content-Length: 0");
        assertThat(raw.status()).isEqualTo(200);
        assertThat(raw.lines()).contains("Content-Type: application/x-ndjson");
    }
}

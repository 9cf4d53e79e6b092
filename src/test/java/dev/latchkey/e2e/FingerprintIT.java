package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.Step;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §4: what is the same request, what is another one, and the correction.
@EndToEnd
final class FingerprintIT {

    private static final String JSON = "application/json";

    private final Replica gateway;
    private final RawDownstream downstream;

    FingerprintIT(World world) {
        gateway = world.gateway();
        downstream = world.downstream();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":1,\"b\":[1,2]}      | { \"b\" : [ 1 , 2 ] , \"a\" : 1 }",
                "{\"amount\":25.50}         | {\"amount\":25.5}",
                "{\"amount\":25.50}         | {\"amount\":2.55e1}",
                "{\"amount\":-0}            | {\"amount\":0}",
                "{\"name\":\"\u00e9\\/\"}   | {\"name\":\"\\u00e9/\"}",
                "{\"n\":1e999999999}        | {\"n\":10e999999998}"
            })
    void sameMeaningIsTheSameRequest(String first, String again) {
        String key = Canary.key();
        Expect.fresh(json(key, first, "/payments/same"), 201);
        Expect.replayed(json(key, again, "/payments/same"), 201);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"n\":9007199254740993}   | {\"n\":9007199254740992}",
                "{\"n\":0.1}                | {\"n\":0.10000000000000001}",
                "{\"n\":1}                  | {\"n\":\"1\"}",
                "{\"a\":null}               | {}",
                "[1,2]                      | [2,1]",
                "{\"a\":1,\"a\":2}          | {\"a\":2}",
                "{\"n\":1e999999999}        | {\"n\":1e999999998}"
            })
    void otherMeaningIsAMismatch(String first, String other) {
        String key = Canary.key();
        Expect.fresh(json(key, first, "/payments/other"), 201);
        JsonPath problem = Expect.refused(json(key, other, "/payments/other"), 422, "key-reused");
        assertThat(problem.getList("differs")).containsExactly("body");
        assertThat(problem.getString("state")).isEqualTo("recorded");
        assertThat(problem.getString("forwarded")).isEqualTo("yes");
        assertThat(problem.getBoolean("retry_same_key")).isFalse();
        assertThat(problem.getString("first_seen")).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
    }

    @Test
    void hugeExponentCostsNoMoreThanAnySmallBody() {
        long started = System.nanoTime();
        Expect.fresh(json(Canary.key(), "{\"a\":1e999999999,\"b\":-1e-999999999}", "/payments/exponent"), 201);
        assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    void deepNestingIsTakenAsBytes() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        String key = Canary.key();
        Expect.fresh(json(key, deep, "/payments/deep-json"), 201);
        Expect.replayed(json(key, deep, "/payments/deep-json"), 201);
        Expect.refused(json(key, deep + " ", "/payments/deep-json"), 422, "key-reused");
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /payments/here?x=2, target", "POST, /payments/there?x=1, target", "PUT, /payments/here?x=1, method",
        "POST, /strict/here?x=1, target", "PATCH, /strict/there, method target"
    })
    void otherMethodRouteTargetOrQueryIsAMismatch(String method, String target, String differs) {
        String key = Canary.key();
        Expect.fresh(json(key, "{}", "/payments/here?x=1"), 201);
        JsonPath problem =
                Expect.refused(gateway.keyed(ALICE, key).body("{}").request(method, target), 422, "key-reused");
        assertThat(problem.getList("differs")).containsExactly((Object[]) differs.split(" "));
    }

    @Test
    void otherMediaTypeIsAMismatchAndItsParametersAreNot() {
        String key = Canary.key();
        Expect.fresh(json(key, "{}", "/payments/media"), 201);
        Expect.replayed(typed(key, "Application/JSON; charset=utf-8", "{}", "/payments/media"), 201);
        Expect.refused(typed(key, "text/plain", "{}", "/payments/media"), 422, "key-reused");
    }

    @Test
    void formPairsAreComparedDecodedAndInOrder() {
        String form = "application/x-www-form-urlencoded";
        String key = Canary.key();
        Expect.fresh(typed(key, form, "a=x+y&b=%2F", "/payments/form"), 201);
        Expect.replayed(typed(key, form, "a=x%20y&b=/", "/payments/form"), 201);
        Expect.refused(typed(key, form, "b=%2F&a=x+y", "/payments/form"), 422, "key-reused");
    }

    @Test
    void multipartBoundaryDoesNotCount() {
        String part =
                "Content-Disposition: form-data; name=\"a\"; filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\n";
        String key = Canary.key();
        Expect.fresh(multipart(key, "one", part + "content"), 201);
        Expect.replayed(multipart(key, "two", part + "content"), 201);
        Expect.refused(multipart(key, "two", part + "Content"), 422, "key-reused");
    }

    @Test
    void encodedBodyIsComparedDecodedAndForwardedAsItCame() throws IOException {
        String key = Canary.key();
        byte[] zipped = gzip("{\"a\":1.0}");
        Expect.fresh(encoded(key, "gzip", zipped, "/payments/zipped"), 201);
        Expect.replayed(json(key, "{\"a\":1}", "/payments/zipped"), 201);
        Expect.replayed(encoded(key, "deflate", deflate("{ \"a\":1}"), "/payments/zipped"), 201);
        Received sent = downstream.receivedAt("/pay/zipped").getFirst();
        assertThat(sent.body()).isEqualTo(zipped);
        assertThat(sent.header("Content-Encoding")).isEqualTo("gzip");
    }

    @Test
    void encodedBodyThatCannotBeDecodedIsRefused() throws IOException {
        byte[] rubbish = "rubbish".getBytes(StandardCharsets.US_ASCII);
        Expect.refused(encoded(Canary.key(), "gzip", rubbish, "/payments/rubbish"), 400, "request-invalid");
        byte[] bomb = gzip("0".repeat(4 << 20));
        Expect.refused(encoded(Canary.key(), "gzip", bomb, "/payments/rubbish"), 413, "body-too-large");
        assertThat(downstream.receivedAt("/pay/rubbish")).isEmpty();
    }

    @Test
    void routeMayLeaveMembersOutAndTakeHeaderFieldsIn() {
        String key = Canary.key();
        Expect.fresh(account(key, "acct_1", "{\"a\":1,\"requested_at\":\"now\",\"meta\":{\"try\":1,\"x\":1}}"), 201);
        Expect.replayed(account(key, "acct_1", "{\"a\":1,\"requested_at\":\"later\",\"meta\":{\"try\":2,\"x\":1}}"),
                201);
        Expect.refused(account(key, "acct_1", "{\"a\":1,\"meta\":{\"x\":2}}"), 422, "key-reused");
        Expect.refused(account(key, "acct_2", "{\"a\":1,\"requested_at\":\"now\",\"meta\":{\"x\":1}}"), 422,
                "key-reused");
    }

    @Test
    void mismatchIsToldEvenWhileTheFirstIsInProgress() throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/busy", gate.before(Step.json(201, "{}")));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> first = calls.submit(() -> json(key, "{}", "/payments/busy"));
            gate.awaitReached();
            Response mismatch = json(key, "{\"other\":1}", "/payments/busy");
            JsonPath problem = Expect.refusedForNow(mismatch, 422, "key-reused");
            assertThat(problem.getString("state")).isEqualTo("claimed");
            assertThat(mismatch.header("Idempotency-State")).isEqualTo("claimed");
            gate.open();
            Expect.fresh(first.get(), 201);
        }
    }

    @Test
    void mismatchIsToldInDoubtToo() {
        String key = Canary.key();
        downstream.at("/pay/doubt-mismatch", Step.close());
        json(key, "{}", "/payments/doubt-mismatch");
        JsonPath problem =
                Expect.refused(json(key, "{\"other\":1}", "/payments/doubt-mismatch"), 422, "key-reused");
        assertThat(problem.getString("state")).isEqualTo("in-doubt");
        assertThat(problem.getString("forwarded")).isEqualTo("maybe");
        assertThat(problem.getBoolean("new_key_safe")).isFalse();
    }

    @Test
    void changedRequestAfterARejectionIsACorrection() {
        String key = Canary.key();
        downstream.at("/pay/correct", Step.json(422, "{\"error\":\"amount\"}"));
        Expect.fresh(json(key, "{\"amount\":-1}", "/payments/correct"), 422);
        Expect.replayed(json(key, "{\"amount\":-1}", "/payments/correct"), 422);
        Expect.fresh(json(key, "{\"amount\":1}", "/payments/correct"), 201);
        Expect.replayed(json(key, "{\"amount\":1}", "/payments/correct"), 201);
        Expect.refused(json(key, "{\"amount\":-1}", "/payments/correct"), 422, "key-reused");
        assertThat(downstream.receivedAt("/pay/correct")).hasSize(2).extracting(Received::key).doesNotHaveDuplicates();
    }

    @Test
    void rejectionIsCorrectedOnlyOnItsOwnRouteAndMethod() {
        String key = Canary.key();
        downstream.at("/pay/elsewhere", Step.json(422, "{}"));
        Expect.fresh(json(key, "{\"a\":1}", "/payments/elsewhere"), 422);
        Expect.refused(json(key, "{\"a\":2}", "/strict/elsewhere"), 422, "key-reused");
        Expect.refused(
                gateway.keyed(ALICE, key).body("{\"a\":2}").put("/payments/elsewhere"), 422, "key-reused");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/strict/refuse", "/quoted/refuse"})
    void routeMayRefuseCorrections(String path) {
        String key = Canary.key();
        downstream.at(path, Step.json(422, "{}"));
        Expect.fresh(json(key, "{\"a\":1}", path), 422);
        Expect.refused(json(key, "{\"a\":2}", path), 422, "key-reused");
        assertThat(downstream.receivedAt(path)).hasSize(1);
    }

    private Response json(String key, String body, String target) {
        return typed(key, JSON, body, target);
    }

    private Response typed(String key, String type, String body, String target) {
        return gateway.as(ALICE)
                .header("Idempotency-Key", key)
                .header("Content-Type", type)
                .body(body.getBytes(StandardCharsets.UTF_8))
                .post(target);
    }

    private Response encoded(String key, String coding, byte[] body, String target) {
        return gateway.keyed(ALICE, key).header("Content-Encoding", coding).body(body).post(target);
    }

    private Response account(String key, String account, String body) {
        return gateway.keyed(ALICE, key).header("Stripe-Account", account).body(body).post("/picky/x");
    }

    private Response multipart(String key, String boundary, String part) {
        String body = "--" + boundary + "\r\n" + part + "\r\n--" + boundary + "--\r\n";
        return typed(key, "multipart/form-data; boundary=" + boundary, body, "/payments/multipart");
    }

    private static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static byte[] deflate(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }
}

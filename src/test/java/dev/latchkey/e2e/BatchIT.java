package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static dev.latchkey.e2e.Client.CAROL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.testing.BatchCall;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.Step;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Many calls in one request, against the packaged gateway.
@EndToEnd
final class BatchIT {

    private final Replica gateway;
    private final RawDownstream downstream;
    private final PublicContract contract = new PublicContract();

    BatchIT(World world) {
        gateway = world.gateway();
        downstream = world.downstream();
    }

    private static String line(String path, String key, String body) {
        return "{\"path\": \"" + path + "\", \"key\": \"" + key + "\", \"body\": " + body + "}";
    }

    private BatchCall batch(Client client) throws IOException {
        return gateway.batch(client);
    }

    /// The answers, each held against the public contract.
    private List<JsonNode> answers(BatchCall batch) throws IOException {
        List<JsonNode> answers = batch.answers();
        assertThat(answers).allSatisfy(
                each -> assertThat(contract.check("/components/schemas/BatchAnswer", each)).as("%s", each).isEmpty());
        return answers;
    }

    private static JsonNode of(List<JsonNode> answers, int index) {
        return answers.stream().filter(each -> each.path("index").asInt() == index).findFirst()
                .orElseThrow(() -> new AssertionError("no answer to line " + index + " among " + answers));
    }

    private static void assertStatus(JsonNode answer, int status) {
        assertThat(answer.path("status").asInt()).as("%s", answer).isEqualTo(status);
    }

    @Test
    void linesOfEveryMethodAreForwardedAsCallsAre() throws IOException {
        downstream.at("/pay/batch/get", Step.reply(200).header("Content-Type", "image/x").body(new byte[] {-1, 0}));
        String posted = Canary.key();
        String put = Canary.key();
        String lines = line("/payments/batch/post", posted, "{\"amount\": 25.50, \"id\": 9007199254740993}") + "\n"
                + "{\"method\": \"PUT\", \"path\": \"/payments/batch/put?x=1\", \"key\": \"" + put
                + "\", \"headers\": {\"Content-Type\": \"text/plain\", \"Cookie\": \"canary-cookie\"}, \"body\": \"on\"}\r\n\n"
                + "{\"method\": \"GET\", \"path\": \"/payments/batch/get\"}\n"
                + "{\"method\": \"DELETE\", \"path\": \"/payments/batch/delete\"}";
        Response response =
                gateway.as(ALICE).contentType("application/x-ndjson").body(lines.getBytes(StandardCharsets.UTF_8))
                        .post("/v1/batches");
        assertThat(response.statusCode()).isEqualTo(200);
        List<JsonNode> answers = new ArrayList<>();
        for (String answer : response.asString().split("\n", -1)) {
            if (!answer.isEmpty()) {
                answers.add(new ObjectMapper().readTree(answer));
            }
        }
        assertThat(answers).hasSize(4);
        assertStatus(of(answers, 0), 201);
        assertThat(of(answers, 0).path("key").asText()).isEqualTo(posted);
        assertThat(of(answers, 0).path("headers").path("Idempotency-State").asText()).isEqualTo("recorded");
        assertThat(of(answers, 3).path("body_base64").asText()).isEqualTo("/wA=");
        assertThat(of(answers, 3).path("state").isNull()).isTrue();
        Received post = downstream.receivedAt("/pay/batch/post").getFirst();
        assertThat(post.text()).isEqualTo("{\"amount\": 25.50, \"id\": 9007199254740993}");
        assertThat(post.header("Content-Type")).isEqualTo("application/json");
        assertThat(post.header("Authorization")).isEqualTo("Bearer canary-credential-route");
        Received changed = downstream.receivedAt("/pay/batch/put").getFirst();
        assertThat(changed.target()).endsWith("?x=1");
        assertThat(changed.text()).isEqualTo("on");
        assertThat(changed.headers().has("Cookie")).isFalse();
        assertThat(downstream.receivedAt("/pay/batch/delete")).hasSize(1);
        Response single = gateway.keyed(ALICE, posted).body("{\"amount\": 25.5, \"id\": 9007199254740993}")
                .post("/payments/batch/post");
        Expect.replayed(single, 201);
    }

    @Test
    void slowLineHoldsUpNeitherItsOwnBatchNorAnother() throws Exception {
        Gate gate = new Gate();
        downstream.at("/pay/batch/slow", gate.before(Step.json(201, "{}")));
        try (BatchCall first = batch(ALICE); BatchCall second = batch(ALICE)) {
            first.line(line("/payments/batch/slow", Canary.key(), "{}"));
            gate.awaitReached();
            for (int i = 1; i <= 100; i++) {
                first.line(line("/payments/batch/first", Canary.key(), "{}"));
            }
            second.line(line("/payments/batch/second", Canary.key(), "{}")).end();
            assertThat(answers(second)).hasSize(1);
            for (int i = 1; i <= 100; i++) {
                assertThat(Objects.requireNonNull(first.answer()).path("index").asInt()).isPositive();
            }
            gate.open();
            assertThat(answers(first.end())).singleElement().satisfies(last -> assertStatus(last, 201));
        }
    }

    @Test
    void badLinesAreAnswersAndTheOthersAreDone() throws IOException {
        try (BatchCall batch = batch(ALICE)) {
            batch.line(line("/payments/batch/bad", Canary.key(), "1")).line("nonsense")
                    .line("{\"path\": \"/payments/..\"}")
                    .line("{\"path\": \"/nowhere\", \"key\": \"" + Canary.key() + "\"}")
                    .line("{\"path\": \"/payments/batch/bad\", \"body\": \"" + "x".repeat(3 << 20) + "\"}")
                    .line(line("/payments/batch/bad", Canary.key(), "2"));
            List<JsonNode> answers = answers(batch.end());
            assertThat(answers).hasSize(6);
            assertStatus(of(answers, 0), 201);
            assertStatus(of(answers, 1), 400);
            assertThat(of(answers, 2).path("body").asText()).contains("/problems/path-invalid");
            assertStatus(of(answers, 3), 404);
            assertThat(of(answers, 4).path("body").asText()).contains("/problems/body-too-large");
            assertStatus(of(answers, 5), 201);
            for (int i = 1; i <= 4; i++) {
                JsonNode problem = new ObjectMapper().readTree(of(answers, i).path("body").asText());
                assertThat(contract.check("/components/schemas/Problem", problem)).isEmpty();
            }
        }
        assertThat(downstream.receivedAt("/pay/batch/bad")).hasSize(2);
    }

    @Test
    void sameKeyTwiceIsOneEffectAndAnotherRequestIsAMismatch() throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/batch/twice", gate.before(Step.json(201, "{\"done\":1}")));
        try (BatchCall batch = batch(ALICE)) {
            batch.line(line("/payments/batch/twice", key, "{}"));
            gate.awaitReached();
            batch.line(line("/payments/batch/twice", key, "{ }")).line(line("/payments/batch/twice", key, "{\"a\":1}"))
                    .end();
            JsonNode mismatch = Objects.requireNonNull(batch.answer());
            assertThat(mismatch.path("index").asInt()).isEqualTo(2);
            assertStatus(mismatch, 422);
            assertThat(mismatch.path("body").asText()).contains("key-reused", "\"differs\":[\"body\"]");
            gate.open();
            List<JsonNode> answers = answers(batch);
            assertThat(of(answers, 0).path("replayed").asBoolean()).isFalse();
            assertThat(of(answers, 1).path("replayed").asBoolean()).isTrue();
            assertThat(of(answers, 1).path("body")).isEqualTo(of(answers, 0).path("body"));
        }
        assertThat(downstream.receivedAt("/pay/batch/twice")).hasSize(1);
    }

    @Test
    void linesGoToSeveralRoutesAsFarAsTheClientMay() throws IOException {
        try (BatchCall batch = batch(CAROL)) {
            batch.line(line("/payments/batch/mine", Canary.key(), "{}")).line(line("/dedup/batch", Canary.key(), "{}"));
            List<JsonNode> answers = answers(batch.end());
            assertStatus(of(answers, 0), 201);
            assertStatus(of(answers, 1), 403);
        }
        try (BatchCall batch = batch(ALICE)) {
            batch.line(line("/payments/batch/mine", Canary.key(), "{}")).line(line("/dedup/batch", Canary.key(), "{}"))
                    .line("{\"path\": \"/derived\", \"body\": {\"order_id\": \"" + Canary.key()
                            + "\", \"run_date\": \"2026-01-04\"}}");
            List<JsonNode> answers = answers(batch.end());
            assertThat(answers).allSatisfy(each -> assertStatus(each, 201));
            assertThat(of(answers, 2).path("key").asText()).startsWith("order-shipped:").endsWith(":2026-01-04");
        }
    }

    @Test
    void noLineIsRefusedBecauseOthersOfItsBatchHaveThePlaces() throws IOException {
        try (BatchCall batch = batch(ALICE)) {
            for (int i = 0; i < 12; i++) {
                batch.line(line("/lone/batch", Canary.key(), "{}"));
            }
            assertThat(answers(batch.end())).hasSize(12).allSatisfy(each -> assertStatus(each, 201));
        }
        assertThat(downstream.receivedAt("/lone/batch")).hasSize(12);
    }

    @Test
    void batchThatBrokeOffIsSentAgainAndDoesTheRest() throws Exception {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            keys.add(Canary.key());
        }
        try (BatchCall batch = batch(ALICE)) {
            for (String key : keys.subList(0, 150)) {
                batch.line(line("/payments/batch/again", key, "{}"));
            }
            for (int i = 0; i < 20; i++) {
                assertStatus(Objects.requireNonNull(batch.answer()), 201);
            }
        }
        // What was under way ends, whoever left.
        await().until(() -> Metrics.of(gateway).sum("latchkey_forwards_under_way") == 0);
        try (BatchCall batch = batch(ALICE)) {
            for (String key : keys) {
                batch.line(line("/payments/batch/again", key, "{}"));
            }
            List<JsonNode> answers = answers(batch.end());
            assertThat(answers).hasSize(200).allSatisfy(each -> assertStatus(each, 201));
            assertThat(answers.stream().filter(each -> each.path("replayed").asBoolean()).count())
                    .isBetween(20L, 150L);
        }
        assertThat(downstream.receivedAt("/pay/batch/again")).hasSize(200)
                .extracting(Received::key).doesNotHaveDuplicates();
    }
}

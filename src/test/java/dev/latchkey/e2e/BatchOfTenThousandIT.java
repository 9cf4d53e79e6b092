package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.protocol.DownstreamKey;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.sandbox.Sandbox;
import dev.latchkey.testing.BatchCall;
import dev.latchkey.testing.TestPostgres;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ten thousand notifications, which the downstream sends as often as it is asked, and ten thousand payments, which it makes
/// once a key, in one batch under a small heap. The client breaks off, then the gateway is killed half way, then the batch is
/// sent again until nothing changes.
///
/// `-Dlatchkey.batch.each=N`: so many of each.
final class BatchOfTenThousandIT {

    private static final int EACH = Integer.getInteger("latchkey.batch.each", 10_000);
    private static final int AT_ONCE = 200;
    private static final int MOST_TIMES = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path folder;

    private final Sandbox sandbox = Sandbox.start("127.0.0.1", 0);
    private final TestPostgres database = TestPostgres.create();

    @Test
    void brokenOffAndSentAgainItDoesEachLineOnceAtMost() throws Exception {
        try (sandbox; database) {
            try (Replica gateway = start()) {
                try (BatchCall batch = gateway.batch(ALICE)) {
                    streamed(batch, answers -> answers < EACH / 3);
                }
                try (BatchCall batch = gateway.batch(ALICE)) {
                    assertThatThrownBy(() -> streamed(batch, answers -> {
                        if (answers == EACH) {
                            gateway.program().kill();
                        }
                        return true;
                    })).isInstanceOf(IOException.class);
                }
                assertThat(gateway.program().isAlive()).isFalse();
            }
            try (Replica gateway = start()) {
                await().atMost(PATIENCE)
                        .until(() -> gateway.as(ALICE).get("/v1/entries?state=claimed&limit=1").jsonPath()
                                .getList("entries").isEmpty());
                Map<Integer, JsonNode> settled = sentAgainUntilNothingChanges(gateway);
                try (BatchCall batch = gateway.batch(ALICE)) {
                    assertThat(texts(streamed(batch, _ -> true))).isEqualTo(texts(settled));
                }
                System.out.println("heap used: " + Metrics.of(gateway).sum("jvm_memory_used_bytes") + " "
                        + recorded(settled) + " of " + 2 * EACH + " recorded");
                assertEffects(settled);
            }
        }
    }

    /// A forward that a busy machine lets time out is in doubt, and a payment in doubt is settled by the next time.
    private static Map<Integer, JsonNode> sentAgainUntilNothingChanges(Replica gateway) throws IOException {
        Map<Integer, JsonNode> answers = Map.of();
        for (int times = 0; times < MOST_TIMES && settled(answers) < 2 * EACH; times++) {
            try (BatchCall batch = gateway.batch(ALICE)) {
                sendAll(batch);
                answers = read(batch, _ -> true);
            }
        }
        assertThat(answers.values().stream().filter(each -> !isSettled(each)))
                .as("neither recorded nor in doubt for good").isEmpty();
        return answers;
    }

    private Replica start() {
        return Replica.start(folder, """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { %s, lease-margin: 2s, settle-delay: 1s }
                upkeep: { every: 200ms }
                limits: { batch: 64 }
                clients: [ { name: alice, token-sha256: %s } ]
                routes:
                  - name: notifications
                    prefix: /notifications
                    downstream: { url: "http://127.0.0.1:%3$d/notifications", timeout: 3s }
                  - name: payments
                    prefix: /payments
                    downstream: { url: "http://127.0.0.1:%3$d/payments", timeout: 3s, deduplicates: 24h }
                """.formatted(Settings.ledger(database), ALICE.digest(), sandbox.port()), "-Xmx256m");
    }

    private static boolean isPayment(int index) {
        return index % 2 == 1;
    }

    private static String key(int index) {
        return Canary.MARK + "-ten-thousand-" + index;
    }

    private static String line(int index) {
        return isPayment(index)
                ? "{\"path\":\"/payments\",\"key\":\"" + key(index)
                        + "\",\"body\":{\"amount\":2500,\"currency\":\"EUR\"}}\n"
                : "{\"path\":\"/notifications\",\"key\":\"" + key(index) + "\",\"body\":{\"order\":" + index + "}}\n";
    }

    private static void sendAll(BatchCall batch) throws IOException {
        for (int begin = 0; begin < 2 * EACH; begin += AT_ONCE) {
            StringBuilder lines = new StringBuilder();
            for (int i = begin; i < Math.min(2 * EACH, begin + AT_ONCE); i++) {
                lines.append(line(i));
            }
            batch.chunk(lines.toString().getBytes(StandardCharsets.US_ASCII));
        }
        batch.end();
    }

    /// Sends while it reads.
    private static Map<Integer, JsonNode> streamed(BatchCall batch, IntPredicate goOn) throws IOException {
        try (ExecutorService sender = Executors.newVirtualThreadPerTaskExecutor()) {
            sender.execute(() -> sendUntilCut(batch));
            try (batch) {
                return read(batch, goOn);
            }
        }
    }

    private static void sendUntilCut(BatchCall batch) {
        try {
            sendAll(batch);
        } catch (IOException _) {
            // whoever reads sees it, too
        }
    }

    /// @param goOn whether to read on after so many answers
    private static Map<Integer, JsonNode> read(BatchCall batch, IntPredicate goOn) throws IOException {
        Map<Integer, JsonNode> answers = new HashMap<>();
        JsonNode next = batch.answer();
        while (next != null) {
            assertThat(answers.put(next.path("index").asInt(), next)).isNull();
            if (!goOn.test(answers.size())) {
                return answers;
            }
            next = batch.answer();
        }
        assertThat(answers).hasSize(2 * EACH);
        return answers;
    }

    private static boolean isRecorded(JsonNode answer) {
        return answer.path("state").asText().equals("recorded")
                && answer.path("status").asInt() == (isPayment(answer.path("index").asInt()) ? 201 : 202);
    }

    private static long recorded(Map<Integer, JsonNode> answers) {
        return answers.values().stream().filter(BatchOfTenThousandIT::isRecorded).count();
    }

    /// Recorded, or in doubt where the downstream does not deduplicate.
    private static boolean isSettled(JsonNode answer) {
        return isRecorded(answer) || (!isPayment(answer.path("index").asInt())
                && answer.path("status").asInt() == 409 && answer.path("state").asText().equals("in-doubt"));
    }

    private static long settled(Map<Integer, JsonNode> answers) {
        return answers.values().stream().filter(BatchOfTenThousandIT::isSettled).count();
    }

    /// What binds: not a problem's instance, which is another each time.
    private static Map<Integer, String> texts(Map<Integer, JsonNode> answers) {
        Map<Integer, String> texts = new HashMap<>();
        answers.forEach((index, answer) -> texts.put(
                index, answer.path("status") + (isRecorded(answer) ? answer.path("body").asText() : "")));
        return texts;
    }

    private void assertEffects(Map<Integer, JsonNode> answers) {
        JsonPath effects = RestAssured.get("http://127.0.0.1:" + sandbox.port() + "/effects").jsonPath();
        Map<String, Integer> notifications = Objects.requireNonNull(effects.getMap("notifications"));
        Map<String, Integer> payments = Objects.requireNonNull(effects.getMap("payments"));
        assertThat(payments).hasSize(EACH);
        assertThat(payments.values()).containsOnly(1);
        assertThat(notifications.values()).containsOnly(1);
        for (int index = 0; index < 2 * EACH; index += 2) {
            String sent = DownstreamKey.derive(ALICE.wireName(), IdempotencyKey.of(key(index)), 0);
            if (isRecorded(Objects.requireNonNull(answers.get(index)))) {
                assertThat(notifications).containsKey(sent);
            }
        }
    }
}

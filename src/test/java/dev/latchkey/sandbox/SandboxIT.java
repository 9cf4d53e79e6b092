package dev.latchkey.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SandboxIT {

    private static final String ORDER = "{\"amount\":25.50,\"currency\":\"EUR\"}";

    private Sandbox sandbox;
    private HttpClient client;

    @BeforeEach
    void start() {
        sandbox = Sandbox.start("127.0.0.1", 0);
        client = HttpClient.newHttpClient();
    }

    @AfterEach
    void stop() {
        client.close();
        sandbox.close();
    }

    @Test
    void paymentIsCreatedAndCanBeRead() throws Exception {
        HttpResponse<String> paid = post("/payments", ORDER, "Idempotency-Key", "k-1");
        JsonNode payment = json(paid);
        assertThat(paid.statusCode()).isEqualTo(201);
        assertThat(payment.path("id").asText()).startsWith("pay_");
        assertThat(paid.body()).contains("\"amount\":25.50,\"currency\":\"EUR\",\"status\":\"succeeded\"");
        String place = paid.headers().firstValue("Location").orElseThrow();
        assertThat(place).isEqualTo("/payments/" + payment.path("id").asText());
        assertThat(get(place).body()).isEqualTo(paid.body());
        assertThat(json(get("/payments?idempotency_key=k-1")).path("data")).containsExactly(payment);
        assertThat(json(get("/payments")).path("data")).containsExactly(payment);
    }

    @Test
    void paymentMayBeAForm() throws Exception {
        HttpResponse<String> paid = post("/payments", "amount=2550&currency=eur&description=an+order", "Content-Type",
                "application/x-www-form-urlencoded;charset=UTF-8");
        assertThat(paid.statusCode()).isEqualTo(201);
        assertThat(paid.body()).contains("\"amount\":2550,\"currency\":\"EUR\"");
        assertThat(post("/payments", "currency=eur", "Content-Type", "application/x-www-form-urlencoded").statusCode())
                .isEqualTo(422);
    }

    @Test
    void keyThatPaidIsAnsweredWithItsFirstPayment() throws Exception {
        HttpResponse<String> first = post("/payments", ORDER, "Idempotency-Key", "k-1");
        HttpResponse<String> quoted = post("/payments", "{\"amount\":1}", "Idempotency-Key", "\"k-1\"");
        assertThat(quoted.statusCode()).isEqualTo(201);
        assertThat(quoted.body()).isEqualTo(first.body());
        assertThat(quoted.headers().firstValue("Location"))
                .isEqualTo(first.headers().firstValue("Location"));
        assertThat(get("/effects").body())
                .isEqualTo("{\"payments\":{\"k-1\":1},\"notifications\":{},\"total\":1,\"forgotten\":0}");
    }

    @Test
    void manyAtOnceWithOneKeyPayOnce() throws Exception {
        List<CompletableFuture<HttpResponse<String>>> calls = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            calls.add(client.sendAsync(
                    request("/payments", "Idempotency-Key", "k-1", "Sandbox-Fault", "delay=50ms")
                            .POST(BodyPublishers.ofString(ORDER))
                            .build(),
                    BodyHandlers.ofString()));
        }
        assertThat(calls.stream().map(call -> call.join().body()).distinct()).hasSize(1);
        assertThat(effects("payments", "k-1")).isEqualTo(1);
    }

    @Test
    void notificationIsSentEachTime() throws Exception {
        HttpResponse<String> first = post("/notifications", "{\"order\":1001}", "Idempotency-Key", "n-1");
        HttpResponse<String> second = post("/notifications", "{\"order\":1001}", "Idempotency-Key", "n-1");
        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(json(first).path("id").asText()).startsWith("ntf_");
        assertThat(second.body()).isNotEqualTo(first.body());
        assertThat(effects("notifications", "n-1")).isEqualTo(2);
    }

    @Test
    void withoutAKeyAnEffectIsCountedByItsBody() throws Exception {
        post("/notifications", "hello");
        assertThat(effects(
                "notifications", "sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"))
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|', value = {"{}|422", "{\"amount\":|400"})
    void refusedPaymentIsAProblemAndLeavesItsKeyFree(String body, int status) throws Exception {
        HttpResponse<String> refused = post("/payments", body, "Idempotency-Key", "k-1");
        assertThat(refused.statusCode()).isEqualTo(status);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(json(refused).path("status").asInt()).isEqualTo(status);
        assertThat(post("/payments", ORDER, "Idempotency-Key", "k-1").statusCode())
                .isEqualTo(201);
        assertThat(effects("payments", "k-1")).isEqualTo(1);
    }

    @Test
    void statusFaultAnswersWithoutEffect() throws Exception {
        HttpResponse<String> failed = post("/payments", ORDER, "Idempotency-Key", "k-1", "Sandbox-Fault", "status=503");
        assertThat(failed.statusCode()).isEqualTo(503);
        assertThat(effects("payments", "k-1")).isZero();
        HttpResponse<String> odd = post("/notifications", ORDER, "Sandbox-Fault", "status=204");
        assertThat(odd.statusCode()).isEqualTo(204);
        assertThat(odd.body()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|', value = {"drop-before|0", "drop-after|1", "delay=10ms,drop-after|1",
                "status=200,drop-after|0"})
    void hangingUpLeavesTheCallerWithoutAnAnswer(String fault, int times) throws Exception {
        assertThatThrownBy(() -> post("/payments", ORDER, "Idempotency-Key", "k-1", "Sandbox-Fault", fault))
                .isInstanceOf(IOException.class);
        assertThat(effects("payments", "k-1")).isEqualTo(times);
    }

    @Test
    void delayComesAfterTheEffect() throws Exception {
        HttpRequest slow = request("/payments", "Idempotency-Key", "k-1", "Sandbox-Fault", "delay=10m")
                .timeout(Duration.ofMillis(300))
                .POST(BodyPublishers.ofString(ORDER))
                .build();
        assertThatThrownBy(() -> client.send(slow, BodyHandlers.ofString())).isInstanceOf(IOException.class);
        assertThat(effects("payments", "k-1")).isEqualTo(1);
    }

    @Test
    void unknownFaultIsRefusedWithoutEffect() throws Exception {
        HttpResponse<String> refused = post("/payments", ORDER, "Idempotency-Key", "k-1", "Sandbox-Fault", "chaos");
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("delay=3s");
        assertThat(effects("payments", "k-1")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/payments?idempotency_key=%zz", "/payments?key=k-1"})
    void lookupByAnUnreadableKeyIsRefused(String target) throws Exception {
        post("/payments", ORDER, "Idempotency-Key", "k-1");
        // URI refuses the bad escape, so the request line is written by hand.
        assertThat(RawHttp.statusOf(sandbox.port(), "GET " + target + " HTTP/1.1")).isEqualTo(400);
    }

    @Test
    void keyNobodyPaidWithFindsNothing() throws Exception {
        assertThat(get("/payments?idempotency_key=k-1").body()).isEqualTo("{\"data\":[]}");
        assertThat(get("/payments/pay_0").statusCode()).isEqualTo(404);
    }

    @Test
    void keyOverTheLimitIsRefused() throws Exception {
        assertThat(post("/payments", ORDER, "Idempotency-Key", "k".repeat(256)).statusCode())
                .isEqualTo(400);
    }

    @Test
    void otherMethodsAndPathsAreRefused() throws Exception {
        HttpResponse<String> refused =
                client.send(request("/payments").DELETE().build(), BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(refused.headers().firstValue("Allow")).hasValue("GET, POST");
        assertThat(get("/elsewhere").statusCode()).isEqualTo(404);
    }

    private HttpResponse<String> get(String target) throws Exception {
        return client.send(request(target).GET().build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> post(String target, String body, String... headers) throws Exception {
        return client.send(
                request(target, headers).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String target, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + sandbox.port() + target))
                .timeout(Duration.ofSeconds(20));
        return headers.length == 0 ? request : request.headers(headers);
    }

    private int effects(String kind, String key) throws Exception {
        return json(get("/effects")).path(kind).path(key).asInt();
    }

    private static JsonNode json(HttpResponse<String> response) throws IOException {
        return new ObjectMapper().readTree(response.body());
    }
}

package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static dev.latchkey.e2e.Client.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.RawDownstream;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §2 and §3: which requests carry a key, and what a key is.
@EndToEnd
final class KeyIT {

    private final Replica gateway;
    private final RawDownstream downstream;

    KeyIT(World world) {
        gateway = world.gateway();
        downstream = world.downstream();
    }

    @Test
    void quotedAndBareFormsNameTheSameKey() {
        String key = Canary.key();
        Response first = gateway.keyed(ALICE, key).body("{}").post("/payments/forms");
        Expect.fresh(first, 201);
        for (String form : new String[] {key, '"' + key + '"', '"' + key + "\";note=1;urgent"}) {
            Response again = gateway.keyed(ALICE, form).body("{}").post("/payments/forms");
            Expect.replayed(again, 201);
            assertThat(again.header("Idempotency-Key")).isEqualTo('"' + key + '"');
        }
        assertThat(downstream.receivedAt("/pay/forms")).hasSize(1);
    }

    @Test
    void quotedKeyMayHoldSpacesAndEscapes() {
        String key = "\"" + Canary.key() + " a, b; \\\"c\\\" \\\\d\"";
        Expect.fresh(gateway.keyed(ALICE, key).body("{}").post("/payments/quoted-key"), 201);
        Response again = Expect.replayed(gateway.keyed(ALICE, key).body("{}").post("/payments/quoted-key"), 201);
        assertThat(again.header("Idempotency-Key")).isEqualTo(key);
    }

    @Test
    void keyOf255CharactersIsTakenAndOneOf256IsNot() {
        String longest = (Canary.key() + "x".repeat(255)).substring(0, 255);
        Expect.fresh(gateway.keyed(ALICE, longest).body("{}").post("/payments/long"), 201);
        Expect.replayed(gateway.keyed(ALICE, '"' + longest + '"').body("{}").post("/payments/long"), 201);
        Expect.refused(gateway.keyed(ALICE, longest + "x").body("{}").post("/payments/long"), 400, "key-invalid");
    }

    @Test
    void caseCounts() {
        String key = Canary.key();
        gateway.keyed(ALICE, key + "a").body("{}").post("/payments/case");
        gateway.keyed(ALICE, key + "A").body("{}").post("/payments/case");
        assertThat(downstream.receivedAt("/pay/case")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PATCH"})
    void methodThatNeedsAKeyIsRefusedWithoutOne(String method) {
        JsonPath problem = Expect.refused(
                gateway.as(ALICE).body("{}").request(method, "/payments/keyless"), 400, "key-missing");
        assertThat(problem.getString("state")).isNull();
        assertThat(problem.getString("forwarded")).isEqualTo("no");
        assertThat(problem.getBoolean("new_key_safe")).isTrue();
        assertThat(downstream.receivedAt("/pay/keyless")).isEmpty();
    }

    @Test
    void emptyFieldLineIsAMissingKey() {
        Exchange answer = RawCall.post(gateway, "/payments/empty-key", ALICE, "", new byte[0]);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("/problems/key-missing");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"open", "a b", "a,b", "a;b", "a\"b", "a\\b", "\"\"", "\" lead\"", "\"trail \"", "\"a\", \"b\"",
                "\"a\"b",
                "\"caf\u00e9\"", "caf\u00e9", "\"tab\there\"", "\"bad \\escape\"", ":YWJj:x,", "?1,"
            })
    void keyThatCannotBeReadIsRefused(String key) {
        Exchange answer = RawCall.post(gateway, "/payments/bad-key", ALICE, key, new byte[0]);
        assertThat(answer.text()).contains("/problems/key-invalid");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(downstream.receivedAt("/pay/bad-key")).isEmpty();
    }

    @Test
    void refusalOfABadKeySaysWhichCharacterAtWhichPlace() {
        Exchange answer = RawCall.post(gateway, "/payments/bad-key", ALICE, "ab\u00e9", new byte[0]);
        assertThat(answer.text()).contains("Character 3", "0xE9");
    }

    @Test
    void twoFieldLinesAreRefused() {
        try (RawCall call = RawCall.to(gateway)) {
            Exchange answer = call.send(
                    "POST", "/payments/two-keys", "Authorization: Bearer " + ALICE.token(),
                    "Idempotency-Key: " + Canary.key(), "Idempotency-Key: " + Canary.key(), "Content-Length: 0")
                    .answer();
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.text()).contains("/problems/key-invalid");
        }
    }

    @Test
    void keyBelongsToItsClient() {
        String key = Canary.key();
        Response alices = gateway.keyed(ALICE, key).body("{}").post("/payments/shared");
        Response bobs = gateway.keyed(BOB, key).body("{\"other\":1}").post("/payments/shared");
        Expect.fresh(alices, 201);
        Expect.fresh(bobs, 201);
        assertThat(downstream.receivedAt("/pay/shared")).hasSize(2).extracting(r -> r.key()).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PUT", "DELETE"})
    void putAndDeleteAreOnceOnlyWithAKey(String method) {
        String path = "/payments/" + method;
        gateway.as(ALICE).body("x").request(method, path);
        gateway.as(ALICE).body("x").request(method, path);
        assertThat(downstream.receivedAt("/pay/" + method)).hasSize(2);
        String key = Canary.key();
        Expect.fresh(gateway.keyed(ALICE, key).body("{}").request(method, path), 201);
        Expect.replayed(gateway.keyed(ALICE, key).body("{}").request(method, path), 201);
        assertThat(downstream.receivedAt("/pay/" + method)).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS"})
    void keyOfAReadIsIgnored(String method) {
        String key = Canary.key();
        for (int i = 0; i < 2; i++) {
            Response answer = gateway.as(ALICE).header("Idempotency-Key", key).request(method, "/payments/" + method);
            assertThat(answer.statusCode()).isEqualTo(201);
        }
        assertThat(downstream.receivedAt("/pay/" + method)).hasSize(2).allMatch(r -> r.key().isEmpty());
        Expect.refused(gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry"), 404, "no-such-entry");
    }

    @Test
    void routeWithAnOptionalKeyForwardsWithoutOne() {
        gateway.as(ALICE).body("x").post("/optional/each");
        gateway.as(ALICE).body("x").post("/optional/each");
        assertThat(downstream.receivedAt("/optional/each")).hasSize(2).allMatch(r -> r.key().isEmpty());
        String key = Canary.key();
        Expect.fresh(gateway.keyed(ALICE, key).body("{}").post("/optional/once"), 201);
        Expect.replayed(gateway.keyed(ALICE, key).body("{}").post("/optional/once"), 201);
        assertThat(downstream.receivedAt("/optional/once")).hasSize(1);
    }

    @Test
    void forwardWithoutAKeySaysNothingOfAnEntry() {
        downstream.at("/optional/dies", dev.latchkey.testing.Step.close());
        Response answer = gateway.as(ALICE).body("x").post("/optional/dies");
        JsonPath problem = Expect.refused(answer, 502, "outcome-unknown");
        assertThat(problem.getString("state")).isNull();
        assertThat(answer.header("Location")).isNull();
        assertThat(answer.header("Idempotency-State")).isNull();
    }

    @Test
    void keyIsMadeFromTheBodyWhereTheRouteSaysSo() {
        String day = Canary.key();
        String body = "{\"order_id\":1001,\"run_date\":\"" + day + "\"}";
        Response first = gateway.as(ALICE).contentType("application/json").body(body).post("/derived/orders");
        Expect.fresh(first, 201);
        assertThat(first.header("Idempotency-Key")).isEqualTo("\"order-shipped:1001:" + day + "\"");
        Expect.replayed(gateway.as(ALICE).contentType("application/json").body(body).post("/derived/orders"), 201);
        assertThat(downstream.receivedAt("/derived/orders")).hasSize(1);
    }

    @Test
    void valueThatTheTemplateMissesIsNamed() {
        JsonPath missing = Expect.refused(
                gateway.as(ALICE).contentType("application/json").body("{\"order_id\":1}").post("/derived/missing"),
                400, "key-missing");
        assertThat(missing.getString("detail")).contains("/run_date");
        JsonPath wrong = Expect.refused(
                gateway.as(ALICE)
                        .contentType("application/json")
                        .body("{\"order_id\":{},\"run_date\":\"2026-01-04\"}")
                        .post("/derived/missing"),
                400, "key-invalid");
        assertThat(wrong.getString("detail")).contains("/order_id");
        assertThat(downstream.receivedAt("/derived/missing")).isEmpty();
    }
}

package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static dev.latchkey.e2e.Client.BOB;
import static dev.latchkey.e2e.Client.CAROL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §9: who calls, and that nobody reaches another's keys.
@EndToEnd
final class ClientIT {

    private final Replica gateway;
    private final RawDownstream downstream;

    ClientIT(World world) {
        gateway = world.gateway();
        downstream = world.downstream();
    }

    static final List<String> CREDENTIALS = List.of(
            "Authorization: Bearer " + ALICE.token(),
            "Authorization: bearer " + ALICE.token(),
            "Authorization: Basic " + base64(ALICE.token() + ":"),
            "Authorization: Basic " + base64("anyone:" + ALICE.token()),
            "Latchkey-Token: " + ALICE.token());

    @ParameterizedTest
    @FieldSource("CREDENTIALS")
    void everyFormNamesTheSameClientAndIsConsumed(String line) {
        String[] field = line.split(": ", 2);
        String key = Canary.key();
        Expect.fresh(gateway.keyed(ALICE, key).body("{}").post("/optional/forms"), 201);
        Response again = gateway.open()
                .header(field[0], field[1])
                .header("Idempotency-Key", key)
                .contentType("application/json")
                .body("{}")
                .post("/optional/forms");
        Expect.replayed(again, 201);
        gateway.open().header(field[0], field[1]).post("/optional/consumed");
        Received last = downstream.receivedAt("/optional/consumed").getLast();
        assertThat(last.headers().has("Authorization")).isFalse();
        assertThat(last.headers().has("Latchkey-Token")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer wrong", "Basic wrong", "Bearer", "Digest x", ""})
    void unknownCredentialIsRefused(String credential) {
        Response answer = gateway.open()
                .header("Authorization", credential)
                .header("Idempotency-Key", Canary.key())
                .post("/payments/nobody");
        Expect.refused(answer, 401, "unauthenticated");
        assertThat(answer.header("WWW-Authenticate")).isNotBlank();
        Expect.refused(gateway.open().header("Authorization", credential).get("/v1/entries"), 401, "unauthenticated");
        assertThat(downstream.receivedAt("/pay/nobody")).isEmpty();
    }

    @Test
    void callWithoutACredentialIsRefused() {
        Expect.refused(gateway.open().header("Idempotency-Key", Canary.key()).post("/payments/x"), 401,
                "unauthenticated");
        Expect.refused(gateway.open().get("/payments/x"), 401, "unauthenticated");
        Expect.refused(gateway.open().get("/v1/entry"), 401, "unauthenticated");
    }

    @Test
    void clientMayBeHeldToSomeRoutes() {
        Expect.fresh(gateway.keyed(CAROL, Canary.key()).body("{}").post("/payments/carol"), 201);
        Expect.refused(gateway.keyed(CAROL, Canary.key()).body("{}").post("/strict/carol"), 403, "route-forbidden");
        assertThat(downstream.receivedAt("/strict/carol")).isEmpty();
    }

    @Test
    void entriesAreTheirOwnersOnly() {
        String key = Canary.key();
        gateway.keyed(ALICE, key).body("{}").post("/payments/owned");
        String id = gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("entry_id");
        assertThat(gateway.as(ALICE).get("/v1/entries/" + id).statusCode()).isEqualTo(200);
        Expect.refused(gateway.as(BOB).header("Idempotency-Key", key).get("/v1/entry"), 404, "no-such-entry");
        Expect.refused(gateway.as(BOB).get("/v1/entries/" + id), 404, "no-such-entry");
        Expect.refused(gateway.as(BOB).get("/v1/entries/" + id + "/response"), 404, "no-such-entry");
        assertThat(gateway.as(BOB).get("/v1/entries?limit=1000").asString()).doesNotContain(id);
    }

    @Test
    void authorizationIsNeverForwardedBesideTheTokenField() {
        gateway.open()
                .header("Latchkey-Token", ALICE.token())
                .header("Authorization", "Bearer " + Canary.CREDENTIAL + "-for-someone-else")
                .header("Cookie", "a=1")
                .post("/optional/beside");
        Received sent = downstream.receivedAt("/optional/beside").getFirst();
        assertThat(sent.headers().has("Authorization")).isFalse();
        assertThat(sent.headers().has("Cookie")).isFalse();
    }

    @Test
    void routePutsTheDownstreamsCredentialOn() {
        gateway.keyed(ALICE, Canary.key()).body("{}").post("/payments/credential");
        assertThat(downstream.receivedAt("/pay/credential").getFirst().headers().all("Authorization"))
                .containsExactly("Bearer " + Canary.CREDENTIAL + "-route");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }
}

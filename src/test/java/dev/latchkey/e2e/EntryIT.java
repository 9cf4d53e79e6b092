package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static dev.latchkey.e2e.Client.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Contract §13: reading the ledger, which never executes anything.
@EndToEnd
final class EntryIT {

    private final Replica gateway;
    private final RawDownstream downstream;

    EntryIT(World world) {
        gateway = world.gateway();
        downstream = world.downstream();
    }

    @Test
    void recordedEntryIsShownByKeyAndById() {
        String key = Canary.key();
        Instant before = Instant.now().minusSeconds(60);
        gateway.keyed(ALICE, key).body("{}").post("/payments/shown?x=1");
        for (String form : new String[] {key, '"' + key + '"'}) {
            Map<String, Object> entry =
                    gateway.as(ALICE).header("Idempotency-Key", form).get("/v1/entry").jsonPath().getMap("");
            assertThat(entry)
                    .containsEntry("idempotency_key", key)
                    .containsEntry("state", "recorded")
                    .containsEntry("route", "payments")
                    .containsEntry("method", "POST")
                    .containsEntry("target", "/payments/shown?x=1")
                    .containsEntry("attempts", 1)
                    .containsEntry("recorded_status", 201)
                    .containsEntry("cause", null)
                    .containsEntry("expires_at", null)
                    .containsEntry("downstream_key", downstream.receivedAt("/pay/shown").getFirst().key());
            assertThat(Instant.parse(text(entry, "claimed_at"))).isAfter(before);
            assertThat(Instant.parse(text(entry, "recorded_at"))).isAfterOrEqualTo(text(entry, "claimed_at"));
            String id = text(entry, "entry_id");
            assertThat(gateway.as(ALICE).get("/v1/entries/" + id).jsonPath().getMap("")).isEqualTo(entry);
        }
    }

    @Test
    void responseOfAnEntryIsAReplay() {
        String key = Canary.key();
        downstream.at("/pay/response",
                Step.json(203, "{\"kept\":1}").header("Link", "</a>").header("Set-Cookie", "a=1"));
        gateway.keyed(ALICE, key).body("{}").post("/payments/response");
        Response response = Expect.replayed(gateway.as(ALICE).get(location(key) + "/response"), 203);
        assertThat(response.asString()).isEqualTo("{\"kept\":1}");
        assertThat(response.header("Link")).isEqualTo("</a>");
        assertThat(response.header("Set-Cookie")).isNull();
        assertThat(response.header("Idempotency-Key")).isEqualTo('"' + key + '"');
        assertThat(downstream.receivedAt("/pay/response")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {303, 422, 500})
    void responseOfAnyStatusIsReplayed(int status) {
        String key = Canary.key();
        downstream.at("/moved/response-" + status, Step.json(status, "{}"));
        gateway.keyed(ALICE, key).body("{}").post("/moved/response-" + status);
        Expect.replayed(gateway.as(ALICE).get(location(key) + "/response"), status);
    }

    @Test
    void claimedEntryHasNoResponseYet() throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/not-yet", gate.before(Step.reply(204)));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> first = calls.submit(() -> gateway.keyed(ALICE, key).body("{}").post("/payments/not-yet"));
            gate.awaitReached();
            JsonPath entry = gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath();
            assertThat(entry.getString("state")).isEqualTo("claimed");
            assertThat(entry.getString("recorded_at")).isNull();
            Response told = gateway.as(ALICE).get(location(key) + "/response");
            Expect.refusedForNow(told, 409, "in-progress");
            assertThat(told.header("Location")).isEqualTo(location(key));
            gate.open();
            Expect.fresh(first.get(), 204);
        }
    }

    @Test
    void entryInDoubtSaysWhyAndHasNoResponse() {
        String key = Canary.key();
        downstream.at("/pay/why", Step.json(500, "{}"));
        gateway.keyed(ALICE, key).body("{}").post("/payments/why");
        JsonPath entry = gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath();
        assertThat(entry.getString("state")).isEqualTo("in-doubt");
        assertThat(entry.getString("cause")).isEqualTo("status-500");
        Expect.refused(gateway.as(ALICE).get(location(key) + "/response"), 409, "outcome-unknown");
    }

    @Test
    void releasedEntryIsShown() {
        String key = Canary.key();
        gateway.keyed(ALICE, key).body("{}").post("/nobody/released");
        assertThat(gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("state"))
                .isEqualTo("released");
        assertThat(gateway.as(ALICE).get(location(key) + "/response").statusCode()).isEqualTo(404);
    }

    @Test
    void listIsFilteredPagedAndNewestFirst() {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            String key = Canary.key();
            keys.addFirst(key);
            gateway.keyed(BOB, key).body("{}").post("/unkeyed/listed");
        }
        List<String> seen = new ArrayList<>();
        String next = "/v1/entries?route=unkeyed&state=recorded&limit=2";
        for (String page = next; page != null;) {
            JsonPath list = gateway.as(BOB).get(page).jsonPath();
            assertThat(list.getList("entries")).hasSizeLessThanOrEqualTo(2);
            seen.addAll(list.getList("entries.idempotency_key", String.class));
            String after = list.getString("next");
            page = after == null ? null : next + "&after=" + after;
        }
        assertThat(seen).containsExactlyElementsOf(keys);
        assertThat(gateway.as(BOB).get("/v1/entries?route=unkeyed&state=in-doubt").jsonPath().getList("entries"))
                .isEmpty();
        assertThat(gateway.as(BOB).get("/v1/entries?since=2999-01-01T00:00:00Z").jsonPath().getList("entries"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"state=odd", "limit=0", "limit=x", "since=yesterday", "after=rubbish!"})
    void parameterThatCannotBeReadIsRefused(String query) {
        Expect.refused(gateway.as(ALICE).get("/v1/entries?" + query), 400, "request-invalid");
    }

    @Test
    void entryThatIsNotThereIsNotFound() {
        String nothing = "00000000-0000-4000-8000-000000000000";
        Expect.refused(gateway.as(ALICE).get("/v1/entries/" + nothing), 404, "no-such-entry");
        Expect.refused(gateway.as(ALICE).get("/v1/entries/" + nothing + "/response"), 404, "no-such-entry");
        Expect.refused(gateway.as(ALICE).get("/v1/entries/rubbish"), 404, "no-such-entry");
        Expect.refused(gateway.as(ALICE).header("Idempotency-Key", Canary.key()).get("/v1/entry"), 404,
                "no-such-entry");
        Expect.refused(gateway.as(ALICE).get("/v1/entry"), 400, "key-missing");
        Expect.refused(gateway.as(ALICE).header("Idempotency-Key", "a b").get("/v1/entry"), 400, "key-invalid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/entry", "/v1/entries", "/v1/entries/00000000-0000-4000-8000-000000000000"})
    void readingTakesNoOtherMethod(String path) {
        Response answer = gateway.keyed(ALICE, Canary.key()).body("{}").post(path);
        Expect.refused(answer, 405, "method-not-allowed");
        assertThat(answer.header("Allow")).contains("GET");
    }

    private String location(String key) {
        return "/v1/entries/"
                + gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("entry_id");
    }

    private static String text(Map<String, Object> entry, String name) {
        return String.valueOf(entry.get(name));
    }
}

package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Received;
import dev.latchkey.testing.Step;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import org.junit.jupiter.api.Test;

/// Contract §12: what is forgotten when, and that forgetting a response never brings a second effect.
@EndToEnd
final class RetentionIT {

    private final World world;

    RetentionIT(World world) {
        this.world = world;
    }

    @Test
    void responsePastItsRetentionIsGoneAndTheKeyIsNot() {
        String key = Canary.key();
        Expect.fresh(post(key, "/brief/gone", "{}"), 201);
        await().until(() -> post(key, "/brief/gone", "{}").statusCode() == 410);
        JsonPath problem = Expect.refused(post(key, "/brief/gone", "{}"), 410, "response-gone");
        assertThat(problem.getInt("recorded_status")).isEqualTo(201);
        assertThat(problem.getString("state")).isEqualTo("recorded");
        assertThat(problem.getString("forwarded")).isEqualTo("yes");
        assertThat(problem.getBoolean("new_key_safe")).isFalse();
        Expect.refused(post(key, "/brief/gone", "{\"other\":1}"), 422, "key-reused");
        String id = entry(key).getString("entry_id");
        Expect.refused(world.gateway().as(ALICE).get("/v1/entries/" + id + "/response"), 410, "response-gone");
        assertThat(world.downstream().receivedAt("/brief/gone")).hasSize(1);
    }

    @Test
    void rejectionPastItsRetentionFreesTheKeyUnderANewDownstreamKey() {
        String key = Canary.key();
        world.downstream().at("/brief/rejected", Step.json(422, "{}"));
        Response rejected = Expect.fresh(post(key, "/brief/rejected", "{}"), 422);
        assertThat(rejected.header("Idempotency-Expires")).isNotNull();
        await().until(() -> post(key, "/brief/rejected", "{}").statusCode() == 201);
        assertThat(world.downstream().receivedAt("/brief/rejected"))
                .hasSize(2)
                .extracting(Received::key)
                .doesNotHaveDuplicates();
    }

    @Test
    void entrySaysWhenItGoes() {
        String key = Canary.key();
        post(key, "/moved/goes", "{}");
        assertThat(entry(key).getString("expires_at")).isNotNull();
        String kept = Canary.key();
        post(kept, "/payments/stays", "{}");
        assertThat(entry(kept).getString("expires_at")).isNull();
    }

    private Response post(String key, String path, String body) {
        return world.gateway().keyed(ALICE, key).body(body).post(path);
    }

    private JsonPath entry(String key) {
        return world.gateway().as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath();
    }
}

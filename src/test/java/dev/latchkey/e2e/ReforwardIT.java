package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.Step;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.FieldSource;

/// Contract §5 and §6: a key in doubt is forwarded again, with the same downstream key, only where that is safe or chosen,
/// and only a success settles it.
@EndToEnd
final class ReforwardIT {

    private final World world;
    private final Replica gateway;
    private final RawDownstream downstream;

    ReforwardIT(World world) {
        this.world = world;
        gateway = world.gateway();
        downstream = world.downstream();
    }

    @Test
    void deduplicatingDownstreamIsAskedAgainWithTheSameKey() {
        String key = Canary.key();
        downstream.at("/dedup/again", Step.close());
        JsonPath problem = Expect.refusedForNow(post(key, "/dedup/again"), 502, "outcome-unknown");
        assertThat(problem.getString("state")).isEqualTo("in-doubt");
        Expect.fresh(post(key, "/dedup/again"), 201);
        Expect.replayed(post(key, "/dedup/again"), 201);
        assertThat(downstream.receivedAt("/dedup/again"))
                .hasSize(2)
                .extracting(Received::key)
                .containsOnly(downstream.receivedAt("/dedup/again").getFirst().key());
    }

    static final List<Arguments> SETTLES_NOTHING = List.of(
            Arguments.of("401", Step.reply(401).header("WWW-Authenticate", "Basic"), 401),
            Arguments.of("409", Step.json(409, "{}"), 409),
            Arguments.of("422", Step.json(422, "{}"), 422),
            Arguments.of("429", Step.reply(429).header("Retry-After", "3"), 429),
            Arguments.of("500", Step.json(500, "{}"), 500));

    @ParameterizedTest(name = "{0}")
    @FieldSource("SETTLES_NOTHING")
    void refusedReforwardStaysInDoubt(String name, Step step, int status) {
        String key = Canary.key();
        String path = "/dedup/refused-" + status;
        downstream.at(path, Step.close(), step);
        Expect.refused(post(key, path), 502, "outcome-unknown");
        Expect.passed(post(key, path), status, "in-doubt");
        assertThat(state(key)).isEqualTo("in-doubt");
        Expect.fresh(post(key, path), 201);
        assertThat(downstream.receivedAt(path)).hasSize(3);
    }

    @Test
    void reforwardThatDiesStaysInDoubt() {
        String key = Canary.key();
        downstream.at("/dedup/dies", Step.json(500, "{}"), Step.reset());
        Expect.passed(post(key, "/dedup/dies"), 500, "in-doubt");
        Expect.refusedForNow(post(key, "/dedup/dies"), 502, "outcome-unknown");
        Expect.fresh(post(key, "/dedup/dies"), 201);
    }

    @Test
    void reforwardThatWasNotSentStaysInDoubt() {
        String key = Canary.key();
        world.flaky().at("/flaky/x", Step.close());
        Expect.refused(post(key, "/flaky/x"), 502, "outcome-unknown");
        world.whileFlakyIsDown(() -> {
            JsonPath problem = Expect.refusedForNow(post(key, "/flaky/x"), 502, "outcome-unknown");
            assertThat(problem.getString("state")).isEqualTo("in-doubt");
            assertThat(problem.getString("forwarded")).isEqualTo("maybe");
            Expect.refused(post(Canary.key(), "/flaky/x"), 502, "not-forwarded");
        });
        Expect.fresh(post(key, "/flaky/x"), 201);
    }

    @Test
    void windowThatHasClosedHoldsTheKey() {
        String key = Canary.key();
        downstream.always("/window/x", Step.json(500, "{}"));
        Expect.passed(post(key, "/window/x"), 500, "in-doubt");
        await().until(() -> post(key, "/window/x").statusCode() == 409);
        int sent = downstream.receivedAt("/window/x").size();
        Response held = post(key, "/window/x");
        assertThat(Expect.refused(held, 409, "outcome-unknown").getBoolean("retry_same_key")).isFalse();
        assertThat(held.header("Retry-After")).isNull();
        assertThat(downstream.receivedAt("/window/x")).hasSize(sent);
    }

    @Test
    void routeMayChooseToResend() {
        String key = Canary.key();
        downstream.at("/resend/x", Step.close(), Step.json(422, "{}"), Step.json(409, "{\"listed\":true}"));
        Expect.refusedForNow(post(key, "/resend/x"), 502, "outcome-unknown");
        Expect.passed(post(key, "/resend/x"), 422, "in-doubt");
        Expect.fresh(post(key, "/resend/x"), 409);
        Expect.replayed(post(key, "/resend/x"), 409);
        assertThat(downstream.receivedAt("/resend/x")).hasSize(3);
    }

    @Test
    void changedRequestIsNeverForwardedAgain() {
        String key = Canary.key();
        downstream.at("/dedup/changed", Step.close());
        Expect.refused(post(key, "/dedup/changed"), 502, "outcome-unknown");
        Response changed = gateway.keyed(ALICE, key).body("{\"changed\":1}").post("/dedup/changed");
        Expect.refused(changed, 422, "key-reused");
        assertThat(downstream.receivedAt("/dedup/changed")).hasSize(1);
    }

    @Test
    void successOfAReforwardOpensNoCorrection() {
        String key = Canary.key();
        downstream.at("/resend/no-correction", Step.close(), Step.json(409, "{}"));
        post(key, "/resend/no-correction");
        Expect.fresh(post(key, "/resend/no-correction"), 409);
        Response changed = gateway.keyed(ALICE, key).body("{\"changed\":1}").post("/resend/no-correction");
        Expect.refused(changed, 422, "key-reused");
    }

    @Test
    void lookupSettlesAKeyInDoubtWithoutSendingAgain() {
        String key = Canary.key();
        downstream.at("/looked-up/x", Step.close());
        downstream.always("/looked-up/payments", Step.json(200, "{\"data\":[{\"id\":\"pay_1\"}]}"));
        Expect.refusedForNow(post(key, "/looked-up/x"), 502, "outcome-unknown");
        await().until(() -> post(key, "/looked-up/x").statusCode() == 201);
        Response settled = Expect.replayed(post(key, "/looked-up/x"), 201);
        assertThat(settled.header("Idempotency-Settled-By")).isEqualTo("lookup");
        assertThat(settled.asString()).isEqualTo("{\"id\":\"pay_1\"}");
        assertThat(downstream.receivedAt("/looked-up/x")).hasSize(1);
    }

    private Response post(String key, String path) {
        return gateway.keyed(ALICE, key).body("{}").post(path);
    }

    private String state(String key) {
        return gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("state");
    }
}

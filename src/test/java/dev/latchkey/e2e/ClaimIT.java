package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static dev.latchkey.e2e.Client.BOB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Claims that callers hold themselves: one effect a key, fenced by a token, and every answer may be lost.
@EndToEnd
final class ClaimIT {

    private static final String WHAT = "{\"effect\":{\"file\":\"a.parquet\"}%s}";

    private final World world;
    private final Replica gateway;

    ClaimIT(World world) {
        this.world = world;
        gateway = world.gateway();
    }

    private static Response claim(Replica at, String key, String terms) {
        return at.keyed(ALICE, key).header("Prefer", "wait=0").body(WHAT.formatted(terms)).post("/v1/claims");
    }

    private Response claim(String key) {
        return claim(gateway, key, "");
    }

    /// A claim as its holder knows it.
    private record Holder(Replica at, Client client, String id, String token) {

        RequestSpecification request() {
            return at.as(client).header("Claim-Token", token);
        }

        Response result(String text) {
            return request().contentType("text/plain").body(text).put("/v1/claims/" + id + "/result");
        }

        Response renew(String lease) {
            return request().contentType("application/json").body(Map.of("lease", lease))
                    .post("/v1/claims/" + id + "/renew");
        }

        Response release() {
            return request().delete("/v1/claims/" + id);
        }
    }

    private Holder held(String key, String terms) {
        Response answer = claim(gateway, key, terms);
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(201);
        JsonPath claim = answer.jsonPath();
        return new Holder(gateway, ALICE, claim.getString("entry_id"), claim.getString("token"));
    }

    private String state(String key) {
        return gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("state");
    }

    @Test
    void claimIsAnsweredWithItsTokenAndLease() {
        String key = Canary.key();
        Response answer = claim(gateway, key, ",\"lease\":\"90s\"");
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.header("Idempotency-State")).isEqualTo("claimed");
        assertThat(answer.header("Idempotent-Replayed")).isEqualTo("false");
        assertThat(answer.header("Idempotency-Key")).isEqualTo('"' + key + '"');
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        JsonPath claim = answer.jsonPath();
        assertThat(Duration.between(time(claim, "now"), time(claim, "lease_until"))).isEqualTo(Duration.ofSeconds(90));
        assertThat(answer.header("Location")).isEqualTo("/v1/entries/" + claim.getString("entry_id"));
        JsonPath entry = gateway.as(ALICE).get(answer.header("Location")).jsonPath();
        assertThat(entry.getString("route")).isEqualTo("/v1/claims");
        assertThat(entry.getString("downstream_key")).isNull();
        assertThat(gateway.management().get("/operator/entries/" + claim.getString("entry_id")).asString())
                .doesNotContain(claim.getString("token"));
        await().until(
                () -> Metrics.of(gateway).sum("latchkey_added_seconds_count{route=\"/v1/claims\"}"), it -> it > 0);
    }

    private static Instant time(JsonPath document, String member) {
        return Instant.parse(document.getString(member));
    }

    @Test
    void resultIsReplayedByteForByteOnEveryReplica() {
        String key = Canary.key();
        Holder holder = held(key, "");
        byte[] result = {0, (byte) 0xFF, 10, 13, 'x'};
        Response recorded = holder.request()
                .header("Content-Language", "de").header("X-Own", "not replayed")
                .contentType("application/octet-stream").body(result)
                .put("/v1/claims/" + holder.id() + "/result");
        assertThat(recorded.statusCode()).as(recorded.asString()).isEqualTo(200);
        assertThat(recorded.jsonPath().getString("state")).isEqualTo("recorded");
        for (Replica replica : List.of(gateway, world.secondReplica())) {
            Response again = Expect.replayed(claim(replica, key, ",\"lease\":\"7s\",\"on_expiry\":\"release\""), 200);
            assertThat(again.asByteArray()).isEqualTo(result);
            assertThat(again.contentType()).isEqualTo("application/octet-stream");
            assertThat(again.header("Content-Language")).isEqualTo("de");
            assertThat(again.header("X-Own")).isNull();
        }
        Response read = gateway.as(ALICE).get("/v1/entries/" + holder.id() + "/response");
        assertThat(read.asByteArray()).isEqualTo(result);
    }

    @Test
    void emptyResultIsAResult() {
        String key = Canary.key();
        Holder holder = held(key, "");
        assertThat(holder.request().put("/v1/claims/" + holder.id() + "/result").statusCode()).isEqualTo(200);
        assertThat(Expect.replayed(claim(key), 200).asString()).isEmpty();
    }

    @Test
    void heldKeyIsInProgressAndAnotherEffectIsAMismatch() {
        String key = Canary.key();
        held(key, "");
        Expect.refusedForNow(claim(key), 409, "in-progress");
        Expect.refusedForNow(claim(world.secondReplica(), key, ",\"lease\":\"1s\""), 409, "in-progress");
        JsonPath other = Expect.refused(claim(gateway, key, ",\"more\":1"), 422, "key-reused");
        assertThat(other.getList("differs")).containsExactly("body");
        JsonPath call = Expect.refused(
                gateway.keyed(ALICE, key).body(WHAT.formatted("")).post("/payments/claimed"), 422, "key-reused");
        assertThat(call.getList("differs")).containsExactly("target");
        assertThat(gateway.keyed(BOB, key).body(WHAT.formatted("")).post("/v1/claims").statusCode()).isEqualTo(201);
    }

    @Test
    void whoWaitsGetsTheResult() throws Exception {
        String key = Canary.key();
        Holder holder = held(key, "");
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Response>> waiting = new ArrayList<>();
            for (Replica replica : List.of(gateway, world.secondReplica())) {
                waiting.add(callers.submit(() -> replica.keyed(ALICE, key).header("Prefer", "wait=40")
                        .body(WHAT.formatted("")).post("/v1/claims")));
            }
            await().until(() -> Metrics.of(gateway).sum("latchkey_calls_waiting") > 0);
            assertThat(holder.result("written").statusCode()).isEqualTo(200);
            for (Future<Response> each : waiting) {
                Response answer = Expect.replayed(each.get(50, TimeUnit.SECONDS), 200);
                assertThat(answer.asString()).isEqualTo("written");
                assertThat(answer.header("Preference-Applied")).isEqualTo("wait=40");
            }
        }
    }

    @Test
    void ofManyAtOnceOneHolds() throws Exception {
        String key = Canary.key();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Integer>> answers = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                Replica at = i % 2 == 0 ? gateway : world.secondReplica();
                answers.add(callers.submit(() -> claim(at, key, "").statusCode()));
            }
            List<Integer> told = new ArrayList<>();
            for (Future<Integer> answer : answers) {
                told.add(answer.get(60, TimeUnit.SECONDS));
            }
            assertThat(told).containsOnly(201, 409).containsOnlyOnce(201);
        }
    }

    @Test
    void sameResultAgainIsAnsweredTheSameAndAnotherIsRefused() {
        String key = Canary.key();
        Holder holder = held(key, "");
        String first = holder.result("written").asString();
        assertThat(holder.result("written").asString()).isEqualTo(first);
        Expect.refused(holder.result("written otherwise"), 409, "claim-lost");
        Expect.refused(holder.renew("30s"), 409, "claim-lost");
        Expect.refused(holder.release(), 409, "claim-lost");
        assertThat(Expect.replayed(claim(key), 200).asString()).isEqualTo("written");
    }

    @Test
    void givenUpClaimIsFreeAndItsTokenWorthless() {
        String key = Canary.key();
        Holder holder = held(key, "");
        assertThat(holder.release().statusCode()).isEqualTo(204);
        assertThat(holder.release().statusCode()).isEqualTo(204);
        JsonPath lost = Expect.refused(holder.result("written"), 409, "claim-lost");
        assertThat(lost.getString("state")).isEqualTo("released");
        assertThat(lost.getBoolean("retry_same_key")).isTrue();
        Holder next = held(key, ",\"more\":\"another effect, for the key is free\"");
        Expect.refused(holder.release(), 409, "claim-lost");
        Expect.refused(holder.renew("30s"), 409, "claim-lost");
        assertThat(next.result("written").statusCode()).isEqualTo(200);
    }

    @Test
    void givenUpKeyMayServeACallAndIsStillLost() {
        String key = Canary.key();
        Holder holder = held(key, "");
        assertThat(holder.release().statusCode()).isEqualTo(204);
        Expect.fresh(gateway.keyed(ALICE, key).body("{}").post("/payments/after-a-claim"), 201);
        Expect.refused(holder.result("written"), 409, "claim-lost");
        Expect.refused(holder.release(), 409, "claim-lost");
        Expect.replayed(gateway.keyed(ALICE, key).body("{}").post("/payments/after-a-claim"), 201);
    }

    @Test
    void claimThatEndsWithoutAResultIsInDoubtUntilItsHolderComesAfterAll() {
        String key = Canary.key();
        Holder holder = held(key, ",\"lease\":\"300ms\"");
        await().until(() -> state(key).equals("in-doubt"));
        JsonPath doubt = Expect.refused(claim(key), 409, "outcome-unknown");
        assertThat(doubt.getString("cause")).isEqualTo("lease-over");
        assertThat(doubt.getBoolean("new_key_safe")).isFalse();
        JsonPath read = Expect.refused(
                gateway.as(ALICE).get("/v1/entries/" + holder.id() + "/response"), 409, "outcome-unknown");
        assertThat(read.getString("cause")).isEqualTo("lease-over");
        Expect.refused(holder.renew("30s"), 409, "claim-lost");
        assertThat(holder.result("late").statusCode()).isEqualTo(200);
        assertThat(Expect.replayed(claim(key), 200).asString()).isEqualTo("late");
    }

    @Test
    void claimThatIsReleasedOnExpiryGoesToTheNextAndFencesTheFirst() {
        String key = Canary.key();
        Holder late = held(key, ",\"lease\":\"300ms\",\"on_expiry\":\"release\"");
        Holder next = await().until(() -> {
            Response answer = claim(gateway, key, ",\"on_expiry\":\"release\"");
            return answer.statusCode() == 201
                    ? new Holder(gateway, ALICE, answer.jsonPath().getString("entry_id"),
                            answer.jsonPath().getString("token"))
                    : late;
        }, holder -> !holder.equals(late));
        assertThat(next.id()).isEqualTo(late.id());
        for (int i = 0; i < 2; i++) {
            JsonPath lost = Expect.refused(late.result("of the late one"), 409, "claim-lost");
            assertThat(lost.getString("state")).isEqualTo("claimed");
            Expect.refused(late.renew("30s"), 409, "claim-lost");
            Expect.refused(late.release(), 409, "claim-lost");
        }
        assertThat(next.result("of the next").statusCode()).isEqualTo(200);
        Expect.refused(late.result("of the late one"), 409, "claim-lost");
        assertThat(Expect.replayed(claim(key), 200).asString()).isEqualTo("of the next");
        assertThat(gateway.management().get("/operator/entries/" + late.id()).jsonPath().getList("history.kind"))
                .containsOnly("late-response");
    }

    @Test
    void renewedClaimOutlivesItsFirstLease() {
        String key = Canary.key();
        Response answer = claim(gateway, key, ",\"lease\":\"2s\"");
        Holder holder = new Holder(
                gateway, ALICE, answer.jsonPath().getString("entry_id"), answer.jsonPath().getString("token"));
        JsonPath renewed = holder.renew("60s").jsonPath();
        assertThat(Duration.between(time(renewed, "now"), time(renewed, "lease_until")))
                .isEqualTo(Duration.ofSeconds(60));
        Instant first = time(answer.jsonPath(), "lease_until");
        await().until(() -> time(gateway.management().get("/operator/entries?limit=1").jsonPath(), "now")
                .isAfter(first.plusMillis(500)));
        Expect.refusedForNow(claim(key), 409, "in-progress");
        assertThat(holder.request().post("/v1/claims/" + holder.id() + "/renew").statusCode()).isEqualTo(200);
        assertThat(holder.result("written").statusCode()).isEqualTo(200);
    }

    @Test
    void leasePastTheCapIsCut() {
        JsonPath claim = claim(gateway, Canary.key(), ",\"lease\":\"30d\"").jsonPath();
        assertThat(Duration.between(time(claim, "now"), time(claim, "lease_until"))).isEqualTo(Duration.ofHours(1));
    }

    @Test
    void verdictSettlesAClaimWhateverItsStatus() {
        String key = Canary.key();
        Holder holder = held(key, ",\"lease\":\"300ms\"");
        await().until(() -> state(key).equals("in-doubt"));
        Response told = gateway.management().contentType("application/json")
                .body(Map.of(
                        "verdict", "executed", "reason", "the file is there",
                        "response", Map.of("status", 201, "body", "by verdict")))
                .post("/operator/entries/" + holder.id() + "/verdict");
        assertThat(told.statusCode()).as(told.asString()).isEqualTo(200);
        JsonPath lost = Expect.refused(holder.result("late"), 409, "claim-lost");
        assertThat(lost.getString("forwarded")).isEqualTo("yes");
        Response again = Expect.replayed(claim(key), 200);
        assertThat(again.asString()).isEqualTo("by verdict");
        assertThat(again.header("Idempotency-Settled-By")).isEqualTo("verdict");
    }

    @Test
    void othersClaimsAreNotThere() {
        Holder holder = held(Canary.key(), "");
        Holder stranger = new Holder(gateway, BOB, holder.id(), holder.token());
        Expect.refused(stranger.result("x"), 404, "no-such-entry");
        Expect.refused(stranger.renew("30s"), 404, "no-such-entry");
        Expect.refused(stranger.release(), 404, "no-such-entry");
        assertThat(gateway.open().put("/v1/claims/" + holder.id() + "/result").statusCode()).isEqualTo(401);
        assertThat(holder.result("written").statusCode()).isEqualTo(200);
    }

    @Test
    void tokenIsNeededAndFences() {
        String key = Canary.key();
        Holder holder = held(key, "");
        Holder guessing = new Holder(gateway, ALICE, holder.id(), "A".repeat(32));
        Expect.refused(guessing.result("x"), 409, "claim-lost");
        Expect.refused(guessing.release(), 409, "claim-lost");
        Expect.refused(new Holder(gateway, ALICE, holder.id(), "short").result("x"), 400, "request-invalid");
        Expect.refused(gateway.as(ALICE).delete("/v1/claims/" + holder.id()), 400, "request-invalid");
        Expect.refusedForNow(claim(key), 409, "in-progress");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "[]", "\"x\"", "{}", "{\"lease\":\"5s\",\"on_expiry\":\"release\"}", "{\"effect\":1,\"effect\":2}",
        "{\"effect\":1,\"lease\":\"5 s\"}", "{\"effect\":1,\"lease\":5}", "{\"effect\":1,\"lease\":\"0s\"}",
        "{\"effect\":1,\"lease\":\"forever\"}", "{\"effect\":1,\"on_expiry\":\"free\"}", "{\"effect\":1} x"})
    void whatIsNoClaimIsRefused(String body) {
        Expect.refused(
                gateway.keyed(ALICE, Canary.key()).body(body).post("/v1/claims"), 400, "request-invalid");
    }

    @Test
    void otherBadRequestsAreRefusedWithoutAnEntry() {
        String key = Canary.key();
        Expect.refused(
                gateway.as(ALICE).contentType("application/json").body(WHAT.formatted("")).post("/v1/claims"), 400,
                "key-missing");
        Expect.refused(
                gateway.as(ALICE).header("Idempotency-Key", key).contentType("text/plain").body("{}")
                        .post("/v1/claims"),
                400, "request-invalid");
        Expect.refused(
                gateway.keyed(ALICE, key).body(WHAT.formatted("")).post("/v1/claims?lease=5s"), 400,
                "request-invalid");
        Expect.refused(
                gateway.keyed(ALICE, key).body(WHAT.formatted(",\"x\":\"" + "x".repeat(1_100_000) + '"'))
                        .post("/v1/claims"),
                413, "body-too-large");
        Expect.refused(gateway.as(ALICE).get("/v1/claims"), 405, "method-not-allowed");
        assertThat(gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").statusCode()).isEqualTo(404);
        Holder holder = held(key, "");
        Expect.refused(holder.result("x".repeat(4 * 1024 * 1024 + 1)), 413, "body-too-large");
        Expect.refused(holder.renew("never"), 400, "request-invalid");
        assertThat(holder.result("x".repeat(4 * 1024 * 1024)).statusCode()).isEqualTo(200);
    }

    /// The holder is a process of its own: it claims, acts, and is stopped before it can say so.
    private static final String HOLDER = """
            answer=$(curl -s "$GATEWAY/v1/claims" -H "Authorization: Bearer $TOKEN" -H "Idempotency-Key: $KEY" \\
                -H 'Content-Type: application/json' -d '{"effect":"drop a file","lease":"500ms"}')
            id=$(sed 's/.*"entry_id":"\\([^"]*\\)".*/\\1/' <<<"$answer")
            claim=$(sed 's/.*"token":"\\([^"]*\\)".*/\\1/' <<<"$answer")
            echo "$id"
            kill -STOP $$
            curl -s -o /dev/null -w '%{http_code}\\n' -X PUT "$GATEWAY/v1/claims/$id/result" \\
                -H "Authorization: Bearer $TOKEN" -H "Claim-Token: $claim" --data-binary 'of the stopped one'
            """;

    @Test
    void holderStoppedPastItsLeaseCannotRecordAfterAnotherSettledIt(@TempDir Path folder) throws Exception {
        String key = Canary.key();
        Path printed = folder.resolve("holder.out");
        Process holder = start(key, printed);
        try {
            await().until(() -> Files.readString(printed).contains("\n"));
            String id = Files.readString(printed).strip();
            await().until(() -> Files.readString(Path.of("/proc/" + holder.pid() + "/stat")).contains(") T "));
            await().until(() -> state(key).equals("in-doubt"));
            assertThat(gateway.management().contentType("application/json")
                    .body(Map.of(
                            "verdict", "executed", "reason", "seen",
                            "response", Map.of("status", 200, "body", "settled")))
                    .post("/operator/entries/" + id + "/verdict").statusCode()).isEqualTo(200);
            new ProcessBuilder("kill", "-CONT", Long.toString(holder.pid())).start().waitFor();
            assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(Files.readAllLines(printed)).containsExactly(id, "409");
            assertThat(Expect.replayed(
                    gateway.keyed(ALICE, key).body("{\"effect\":\"drop a file\"}").post("/v1/claims"), 200).asString())
                    .isEqualTo("settled");
        } finally {
            holder.destroyForcibly();
        }
    }

    private Process start(String key, Path printed) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", HOLDER);
        builder.environment().putAll(Map.of(
                "GATEWAY", "http://127.0.0.1:" + gateway.port(), "TOKEN", ALICE.token(), "KEY", key));
        return builder.redirectErrorStream(true).redirectOutput(printed.toFile()).start();
    }
}

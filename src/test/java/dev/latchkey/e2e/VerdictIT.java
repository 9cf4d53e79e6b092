package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import dev.latchkey.testing.TestPostgres;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Contract §11: an operator's word takes an entry out of doubt, and nothing that is open is taken for settled.
final class VerdictIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path folder;

    private static TestPostgres database;
    private static RawDownstream downstream;
    private static Replica gateway;

    @BeforeAll
    static void start() throws IOException {
        database = TestPostgres.create();
        downstream = RawDownstream.start();
        String settings = Settings.of(Settings.ledger(database), downstream.url(), downstream.url())
                .replaceFirst("lease-margin: \\w+, settle-delay: \\w+", "lease-margin: 3s, settle-delay: 2s");
        assertThat(settings).contains("settle-delay: 2s");
        gateway = Replica.start(folder, settings);
    }

    @AfterAll
    static void close() throws IOException {
        gateway.close();
        downstream.close();
        database.close();
    }

    private static Response call(String key, String path) {
        return gateway.keyed(ALICE, key).body("{}").post(path);
    }

    /// @return the entry's id
    private static String doubtful(String key, String path, String below) {
        downstream.at(below, Step.json(503, "{}"));
        assertThat(call(key, path).header("Idempotency-State")).isEqualTo("in-doubt");
        return gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("entry_id");
    }

    private static Response post(String path, Object body) {
        return gateway.management().contentType("application/json").body(body).post(path);
    }

    private static Response verdict(String id, Map<String, ?> body) {
        return post("/operator/entries/" + id + "/verdict", body);
    }

    private static String now() {
        return gateway.management().get("/operator/entries?limit=1").jsonPath().getString("now");
    }

    @Test
    void executedWithAResponseReplaysItAndIsInTheHistory() {
        String key = Canary.key();
        String id = doubtful(key, "/quick/executed", "/quick/executed");
        Response told = verdict(id, Map.of(
                "verdict", "executed", "reason", "the ledger of the bank has it",
                "response", Map.of(
                        "status", 201, "headers", List.of(List.of("Content-Type", "application/json")),
                        "body", "{\"found\":true}")));
        assertThat(told.statusCode()).as(told.asString()).isEqualTo(200);
        JsonPath entry = gateway.management().get("/operator/entries/" + id).jsonPath();
        assertThat(entry.getString("state")).isEqualTo("recorded");
        assertThat(entry.getList("history.kind")).containsExactly("in-doubt", "settled");
        assertThat(entry.getString("history[1].by")).isEqualTo("loopback");
        assertThat(entry.getString("history[1].cause")).isEqualTo("the ledger of the bank has it");
        assertThat(Instant.parse(entry.getString("history[1].at"))).isBeforeOrEqualTo(entry.getString("now"));
        Response again = Expect.replayed(call(key, "/quick/executed"), 201);
        assertThat(again.header("Idempotency-Settled-By")).isEqualTo("verdict");
        assertThat(again.asString()).isEqualTo("{\"found\":true}");
        assertThat(downstream.receivedAt("/quick/executed")).hasSize(1);
        Expect.refused(verdict(id, Map.of("verdict", "executed", "reason", "again")), 409, "not-in-doubt");
    }

    @Test
    void executedWithoutAResponseIsGone() {
        String key = Canary.key();
        String id = doubtful(key, "/quick/gone", "/quick/gone");
        assertThat(verdict(id, Map.of("verdict", "executed", "reason", "seen")).statusCode()).isEqualTo(200);
        JsonPath problem = Expect.refused(call(key, "/quick/gone"), 410, "response-gone");
        assertThat(problem.getString("recorded_status")).isNull();
    }

    @Test
    void notExecutedFreesTheKeyAfterLeaseAndDelayOnly() {
        String key = Canary.key();
        String id = doubtful(key, "/quick/free", "/quick/free");
        Expect.refused(verdict(id, notExecuted(now())), 409, "too-early");
        Expect.refused(verdict(id, notExecuted("2999-01-01T00:00:00Z")), 409, "too-early");
        Expect.refused(call(key, "/quick/free"), 409, "outcome-unknown");
        await().atMost(PATIENCE).until(() -> verdict(id, notExecuted(now())).statusCode() == 200);
        JsonPath entry = gateway.management().get("/operator/entries/" + id).jsonPath();
        assertThat(entry.getString("state")).isEqualTo("released");
        assertThat(Instant.parse(entry.getString("now")))
                .isAfterOrEqualTo(Instant.parse(entry.getString("lease_until")).plusSeconds(2));
        downstream.at("/quick/free", Step.json(201, "{}"));
        Expect.fresh(call(key, "/quick/free"), 201);
    }

    private static Map<String, String> notExecuted(String asOf) {
        return Map.of("verdict", "not-executed", "reason", "not there", "as_of", asOf);
    }

    @Test
    void notExecutedIsRefusedWhileTheDownstreamDeduplicates() {
        String id = doubtful(Canary.key(), "/dedup/open", "/dedup/open");
        await().atMost(PATIENCE).untilAsserted(
                () -> Expect.refused(verdict(id, notExecuted(now())), 409, "window-open"));
    }

    @Test
    void whatIsNotAllowedChangesNothing() {
        String key = Canary.key();
        String id = doubtful(key, "/quick/held", "/quick/held");
        Map<String, String> executed = Map.of("verdict", "executed", "reason", "seen");
        Expect.refused(
                verdict(id, Map.of("verdict", "executed", "reason", "r", "response", Map.of("status", 404))), 400,
                "verdict-invalid");
        Expect.refused(verdict(id, Map.of("verdict", "executed")), 400, "verdict-invalid");
        Expect.refused(
                gateway.management().contentType("text/plain").body("{}").post("/operator/entries/" + id + "/verdict"),
                400, "verdict-invalid");
        Expect.refused(
                gateway.management().contentType("application/json").header("Origin", "http://evil.example")
                        .body(executed).post("/operator/entries/" + id + "/verdict"),
                403, "route-forbidden");
        Expect.refused(
                verdict("00000000-0000-4000-8000-000000000000", executed), 404, "no-such-entry");
        Expect.refused(call(key, "/quick/held"), 409, "outcome-unknown");
    }

    @Test
    void tenThousandInDoubtAreSeenInGroupsAndSettledInAMinute() {
        database.run(
                """
                        insert into entry (entry_id, client, idempotency_key, route, method, target, fingerprint, sent_as, state,
                                           attempt, claimed_at, first_forward_at, lease_until, in_doubt_since, cause, status)
                        select gen_random_uuid(), 'alice', 'many-' || i, 'moved', 'POST', '/moved/x',
                               '\\x01' || sha256(i::text::bytea), '\\x0102030405060708', 2, i, now() - interval '1 hour',
                               now() - interval '1 hour', now() - interval '59 minutes', now() - interval '59 minutes',
                               case when i % 4 = 0 then 'timeout' else 'status-503' end, null
                          from generate_series(1, 10000) i
                        """);
        JsonPath doubts = gateway.management().get("/operator/doubts").jsonPath();
        assertThat(doubts.getInt("groups.find { it.route == 'moved' && it.cause == 'status-503' }.count"))
                .isEqualTo(7500);
        Map<String, String> filter = Map.of("route", "moved", "cause", "status-503");
        JsonPath dry = post("/operator/verdicts", Map.of("filter", filter, "dry_run", true)).jsonPath();
        assertThat(dry.getInt("count")).isEqualTo(7500);

        long start = System.nanoTime();
        JsonPath some = post("/operator/verdicts", Map.of(
                "filter", filter, "verdict", "not-executed", "reason", "503 did nothing", "as_of",
                dry.getString("as_of"))).jsonPath();
        JsonPath rest = post("/operator/verdicts", Map.of(
                "filter", Map.of("route", "moved"), "verdict", "executed", "reason", "all are there")).jsonPath();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE);
        assertThat(some.getInt("settled")).isEqualTo(7500);
        assertThat(some.getMap("refused")).isEmpty();
        assertThat(some.getBoolean("complete")).isTrue();
        assertThat(rest.getInt("settled")).isEqualTo(2500);
        assertThat(gateway.management().get("/operator/entries?route=moved&state=in-doubt").jsonPath()
                .getList("entries")).isEmpty();
    }

    @Test
    void aVerdictOnManyCountsWhatItRefuses() {
        doubtful(Canary.key(), "/lone/many", "/lone/many");
        JsonPath early = post("/operator/verdicts", Map.of(
                "filter", Map.of("route", "lone"), "verdict", "not-executed", "reason", "r", "as_of",
                "2020-01-01T00:00:00Z")).jsonPath();
        assertThat(early.getInt("settled")).isZero();
        assertThat(early.getInt("refused.too-early")).isEqualTo(1);
    }

    @Test
    void whatIsErasedIsNeverDoneAgain() {
        String key = Canary.key();
        Expect.fresh(call(key, "/quick/erased"), 201);
        Expect.replayed(call(key, "/quick/erased"), 201);
        String id = gateway.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("entry_id");
        Expect.refused(erase(id, "{}"), 400, "verdict-invalid");

        JsonPath erased = erase(id, "{\"reason\":\"asked to\"}").jsonPath();

        assertThat(erased.getBoolean("erased")).isTrue();
        assertThat(erased.getString("idempotency_key")).isNull();
        assertThat(erased.getString("target")).isNull();
        assertThat(erased.getString("state")).isEqualTo("recorded");
        assertThat(erased.getString("history[0].by")).isEqualTo("loopback");
        Expect.refused(call(key, "/quick/erased"), 410, "response-gone");
        Expect.refused(
                gateway.keyed(ALICE, key).body("{\"other\":1}").post("/quick/erased"), 410, "response-gone");
        assertThat(gateway.as(ALICE).get("/v1/entries/" + id).jsonPath().getString("state")).isEqualTo("recorded");
        assertThat(downstream.receivedAt("/quick/erased")).hasSize(1);
    }

    @Test
    void whatIsInDoubtIsNotErased() {
        String id = doubtful(Canary.key(), "/quick/open", "/quick/open");
        Expect.refused(erase(id, "{\"reason\":\"asked to\"}"), 409, "still-claimed");
        Expect.refused(erase("00000000-0000-4000-8000-000000000000", "{\"reason\":\"r\"}"), 404, "no-such-entry");
    }

    private static Response erase(String id, String body) {
        return gateway.management().contentType("application/json").body(body).delete("/operator/entries/" + id);
    }
}

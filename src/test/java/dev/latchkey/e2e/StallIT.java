package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Closing;
import dev.latchkey.testing.Debugger;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import dev.latchkey.testing.TestPostgres;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A gateway stands still in the middle of a call until its lease is over and another has settled the key; then it wakes.
/// All fall asleep first, so that their leases run out together.
final class StallIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String OWN = "{\"effect\":\"its own\"}";
    private static final String JUDGED = "{\"effect\":\"the operator's\"}";

    @TempDir
    private static Path folder;

    private static final List<StoppableReplica> GATEWAYS = new ArrayList<>();
    private static final Map<Sleep, Sleeper> SLEEPERS = new EnumMap<>(Sleep.class);
    private static TestPostgres database;
    private static RawDownstream downstream;
    private static Replica awake;

    /// Who sleeps where, and on which route.
    private enum Sleep {
        CLAIMED(CrashPoint.AFTER_CLAIM_COMMIT, "/plain"),
        CONNECTED(CrashPoint.BEFORE_LAST_CHECK, "/looked-up"),
        ANSWERED_THEN_EXECUTED(CrashPoint.AFTER_RESPONSE, "/plain"),
        ANSWERED_THEN_FREED(CrashPoint.AFTER_RESPONSE, "/plain"),
        ANSWERED_THEN_CLAIMED_ANEW(CrashPoint.AFTER_RESPONSE, "/plain");

        private final CrashPoint point;
        private final String route;

        Sleep(CrashPoint point, String route) {
            this.point = point;
            this.route = route;
        }

        private String path() {
            return route + "/" + name();
        }
    }

    /// @param forwards how many the gateway had ended when it fell asleep
    private record Sleeper(
            StoppableReplica gateway, Debugger.Trap trap, RawCall call, String key, double forwards) {

        /// Goes on, until its attempt has come to an end; gives what its caller was told.
        private Exchange wake() {
            trap.release();
            Exchange told = call.answer();
            await().atMost(PATIENCE).until(() -> {
                Metrics now = Metrics.of(gateway.replica());
                return ended(now) > forwards && now.sum("latchkey_forwards_under_way") == 0;
            });
            return told;
        }

        private static double ended(Metrics metrics) {
            return metrics.sum("latchkey_forwards_seconds_count");
        }
    }

    @BeforeAll
    static void fallAsleep() throws IOException {
        database = TestPostgres.create();
        downstream = RawDownstream.start();
        downstream.always("/looked-up/lookup", Step.json(200, "{\"data\":[]}"));
        String settings = CrashSettings.of(database, downstream.url(), "3s", "4s");
        awake = Replica.start(folder, settings);
        for (Sleep sleep : Sleep.values()) {
            StoppableReplica gateway = StoppableReplica.start(folder, settings, sleep.route + "/warm-up");
            GATEWAYS.add(gateway);
            double forwards = Sleeper.ended(Metrics.of(gateway.replica()));
            Debugger.Trap trap = sleep.point.trap(gateway.debugger(), 1);
            if (sleep.point.effects() > 0) {
                downstream.at(sleep.path(), Step.json(201, OWN));
            }
            String key = Canary.key();
            RawCall call = StoppableReplica.begin(gateway.replica(), sleep.path(), key);
            trap.awaitHit();
            SLEEPERS.put(sleep, new Sleeper(gateway, trap, call, key, forwards));
        }
    }

    @AfterAll
    static void close() throws Exception {
        SLEEPERS.values().forEach(sleeper -> sleeper.call().close());
        GATEWAYS.forEach(StoppableReplica::close);
        Closing.all(awake, downstream, database);
    }

    private static Sleeper sleeper(Sleep sleep) {
        return Objects.requireNonNull(SLEEPERS.get(sleep));
    }

    @Test
    void keyFreedByAnOperatorIsNeverForwardedByWhoWakesAfterItsClaim() {
        Sleeper sleeper = sleeper(Sleep.CLAIMED);
        judgeNotExecuted(sleeper.key());
        neverSends(Sleep.CLAIMED, sleeper);
    }

    @Test
    void keyFreedByALookupIsNeverForwardedByWhoWakesBeforeItsLastCheck() {
        Sleeper sleeper = sleeper(Sleep.CONNECTED);
        await().atMost(PATIENCE).until(() -> state(sleeper.key()).equals("released"));
        neverSends(Sleep.CONNECTED, sleeper);
    }

    private static void neverSends(Sleep sleep, Sleeper sleeper) {
        Exchange second = postUntilRecorded(sleep.path(), sleeper.key());
        Exchange told = sleeper.wake();
        assertThat(downstream.receivedAt(sleep.path())).hasSize(1);
        isTheAnswerForGood(sleep, second.text(), told);
        assertThat(history(sleeper.key())).doesNotContain("late-response");
    }

    @Test
    void lateResponseIsNotWrittenOverWhatAnOperatorSaid() {
        Sleep sleep = Sleep.ANSWERED_THEN_EXECUTED;
        Sleeper sleeper = sleeper(sleep);
        awaitDoubt(sleeper.key());
        Response verdict = verdict(sleeper.key(), Map.of(
                "verdict", "executed", "reason", "seen", "response", Map.of("status", 201, "body", JUDGED)));
        assertThat(verdict.statusCode()).as(verdict.asString()).isEqualTo(200);
        Exchange told = sleeper.wake();
        isTheAnswerForGood(sleep, JUDGED, told);
        assertThat(downstream.receivedAt(sleep.path())).hasSize(1);
        assertThat(history(sleeper.key())).endsWith("settled", "late-response");
    }

    @Test
    void lateResponseRecordsAKeyThatWasFreedByMistake() {
        Sleep sleep = Sleep.ANSWERED_THEN_FREED;
        Sleeper sleeper = sleeper(sleep);
        judgeNotExecuted(sleeper.key());
        Exchange told = sleeper.wake();
        isTheAnswerForGood(sleep, OWN, told);
        assertThat(downstream.receivedAt(sleep.path())).hasSize(1);
    }

    /// The operator was wrong, so there are two effects; what was recorded stays nevertheless.
    @Test
    void lateResponseIsNotWrittenOverALaterRecord() {
        Sleep sleep = Sleep.ANSWERED_THEN_CLAIMED_ANEW;
        Sleeper sleeper = sleeper(sleep);
        judgeNotExecuted(sleeper.key());
        Exchange second = postUntilRecorded(sleep.path(), sleeper.key());
        assertThat(second.text()).isNotEqualTo(OWN);
        Exchange told = sleeper.wake();
        isTheAnswerForGood(sleep, second.text(), told);
        assertThat(history(sleeper.key())).endsWith("late-response");
        await().atMost(PATIENCE).until(() -> Metrics.of(sleeper.gateway().replica())
                .sum("latchkey_late_responses_total{route=\"plain\"") == 1);
        assertThat(Metrics.of(awake).sum("latchkey_leases_expired_total")).isPositive();
    }

    /// Both gateways replay it, and nobody was told that anything else is recorded.
    private static void isTheAnswerForGood(Sleep sleep, String body, Exchange told) {
        Sleeper sleeper = sleeper(sleep);
        for (Replica replica : List.of(awake, sleeper.gateway().replica())) {
            Exchange again = StoppableReplica.post(replica, sleep.path(), sleeper.key());
            assertThat(again.headers().first("Idempotent-Replayed")).contains("true");
            assertThat(again.text()).isEqualTo(body);
        }
        if (told.headers().first("Idempotency-State").orElse("").equals("recorded")) {
            assertThat(told.text()).isEqualTo(body);
        }
    }

    /// The send window is short: on a busy machine a forward may come too late and send nothing.
    private static Exchange postUntilRecorded(String path, String key) {
        Exchange answer;
        do {
            answer = StoppableReplica.post(awake, path, key);
        } while (answer.status() == 502 && answer.text().contains("/problems/not-forwarded"));
        assertThat(answer.status()).as(answer.text()).isEqualTo(201);
        return answer;
    }

    private static void awaitDoubt(String key) {
        await().atMost(PATIENCE).until(() -> state(key).equals("in-doubt"));
    }

    /// As soon as that may be said.
    private static void judgeNotExecuted(String key) {
        awaitDoubt(key);
        await().atMost(PATIENCE).until(() -> verdict(key, Map.of(
                "verdict", "not-executed", "reason", "not there", "as_of", entries(key).getString("now")))
                .statusCode() == 200);
        assertThat(state(key)).isEqualTo("released");
    }

    private static Response verdict(String key, Map<String, ?> body) {
        String id = entries(key).getString("entries[0].entry_id");
        return awake.management().contentType("application/json").body(body)
                .post("/operator/entries/" + id + "/verdict");
    }

    private static JsonPath entries(String key) {
        return awake.management().get("/operator/entries?key=" + key).jsonPath();
    }

    private static String state(String key) {
        return String.valueOf(entries(key).getString("entries[0].state"));
    }

    private static List<String> history(String key) {
        String id = entries(key).getString("entries[0].entry_id");
        return awake.management().get("/operator/entries/" + id).jsonPath().getList("history.kind");
    }
}

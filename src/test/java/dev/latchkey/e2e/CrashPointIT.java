package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Closing;
import dev.latchkey.testing.Debugger;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.Step;
import dev.latchkey.testing.TestPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/// The packaged program is killed at each point of a call where it may die, once on a route that does not deduplicate and
/// once on one that does. All die first, so that their leases run out together; then each point is looked at.
final class CrashPointIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    private static Path folder;

    private static final Map<CrashPoint, Death> DEATHS = new EnumMap<>(CrashPoint.class);
    private static TestPostgres database;
    private static RawDownstream downstream;
    private static String settings;
    private static Replica other;
    private static StoppableReplica stoppable;
    private static Replica restarted;

    /// Two calls whose gateway was killed under them, both at that point.
    ///
    /// @param plain key of the one on the route that does not deduplicate
    /// @param dedup key of the one on the route that does
    /// @param meanwhile what another replica answered to a repeat of the first that would not wait, while it stood there
    /// @param answeredAt by the ledger's clock, not before that answer
    private record Death(CrashPoint point, String plain, String dedup, Exchange meanwhile, Instant answeredAt) {

        String plainPath() {
            return "/plain/" + point;
        }

        String dedupPath() {
            return "/dedup/" + point;
        }
    }

    @BeforeAll
    static void killThemAll() throws IOException {
        database = TestPostgres.create();
        downstream = RawDownstream.start();
        settings = CrashSettings.of(database, downstream.url(), "4s", "6s");
        other = Replica.start(folder, settings);
        for (CrashPoint point : CrashPoint.values()) {
            DEATHS.put(point, killAt(point));
        }
        stoppable = StoppableReplica.start(folder, settings, "/plain/warm-up");
        restarted = stoppable.replica();
    }

    @AfterAll
    static void close() throws Exception {
        Closing.all(stoppable, other, downstream, database);
    }

    private static Death killAt(CrashPoint point) {
        try (StoppableReplica doomed = StoppableReplica.start(folder, settings, "/plain/warm-up")) {
            Debugger.Trap trap = point.trap(doomed.debugger(), 2);
            String plain = Canary.key();
            String dedup = Canary.key();
            try (RawCall _ = StoppableReplica.begin(doomed.replica(), "/plain/" + point, plain);
                    RawCall _ = StoppableReplica.begin(doomed.replica(), "/dedup/" + point, dedup)) {
                trap.awaitHit();
                for (String path : List.of("/plain/" + point, "/dedup/" + point)) {
                    await().atMost(PATIENCE).until(() -> downstream.receivedAt(path).size() == point.effects());
                }
                Exchange meanwhile = StoppableReplica.post(other, "/plain/" + point, plain, "Prefer: wait=0");
                Instant now = now(other);
                doomed.replica().program().kill();
                return new Death(point, plain, dedup, meanwhile, now);
            }
        }
    }

    private static Death deathAt(CrashPoint point) {
        Death death = Objects.requireNonNull(DEATHS.get(point));
        await().atMost(PATIENCE).until(() -> !state(death.plain()).equals("claimed"));
        await().atMost(PATIENCE).until(() -> !state(death.dedup()).equals("claimed"));
        return death;
    }

    @ParameterizedTest
    @EnumSource
    void otherReplicaSaysMeanwhileWhatIsTrue(CrashPoint point) {
        Death death = deathAt(point);
        Exchange answer = death.meanwhile();
        if (point.isRecorded()) {
            assertThat(told(answer)).isEqualTo("201 recorded replayed");
        } else if (death.answeredAt().isBefore(leaseUntil(death.plain()))) {
            assertThat(told(answer)).isEqualTo("409 claimed");
            assertThat(answer.text()).contains("/problems/in-progress");
        }
    }

    @ParameterizedTest
    @EnumSource
    void keyIsRecordedOrInDoubtAndNeverForwardedAgain(CrashPoint point) {
        Death death = deathAt(point);
        for (Replica replica : List.of(restarted, other)) {
            Exchange answer = StoppableReplica.post(replica, death.plainPath(), death.plain());
            if (point.isRecorded()) {
                assertThat(told(answer)).isEqualTo("201 recorded replayed");
                assertThat(answer.body()).isEqualTo(death.meanwhile().body());
            } else {
                assertThat(told(answer)).isEqualTo("409 in-doubt");
                assertThat(answer.text()).contains("/problems/outcome-unknown");
            }
        }
        assertThat(downstream.receivedAt(death.plainPath())).hasSize(point.effects());
    }

    @ParameterizedTest
    @EnumSource
    void deduplicatingDownstreamIsAskedAgainUnderTheSameKey(CrashPoint point) {
        Death death = deathAt(point);
        List<String> received = keysReceivedAt(death.dedupPath());
        String first = told(StoppableReplica.post(restarted, death.dedupPath(), death.dedup()));
        assertThat(first).isEqualTo("201 recorded " + (point.isRecorded() ? "replayed" : "fresh"));
        String second = told(StoppableReplica.post(other, death.dedupPath(), death.dedup()));
        assertThat(second).isEqualTo("201 recorded replayed");
        List<String> now = keysReceivedAt(death.dedupPath());
        assertThat(received).hasSize(point.effects());
        assertThat(now).hasSize(point.effects() + (point.isRecorded() ? 0 : 1));
        assertThat(Set.copyOf(now)).hasSize(1).doesNotContain("");
    }

    private static List<String> keysReceivedAt(String path) {
        return downstream.receivedAt(path).stream().map(Received::key).toList();
    }

    /// The server may give up waiting for the lock before the gateway dies: then there is no claim.
    @Test
    void claimThatReachesTheDatabaseOfAKilledGatewayIsInDoubt() throws Exception {
        String key = Canary.key();
        String path = "/plain/claiming";
        Replica doomed = Replica.start(folder, settings);
        Connection lock = lock("lock table entry in share mode");
        int claiming;
        try (RawCall _ = StoppableReplica.begin(doomed, path, key)) {
            claiming = heldUpBy(List.of(lock), "insert into entry as");
            doomed.program().kill();
        } finally {
            unlock(lock);
        }
        await().atMost(PATIENCE).until(() -> !isBusy(claiming));
        await().atMost(PATIENCE).until(() -> !state(key).equals("claimed"));
        String again = told(StoppableReplica.post(restarted, path, key));
        if (downstream.receivedAt(path).isEmpty()) {
            assertThat(again).isEqualTo("409 in-doubt");
        } else {
            assertThat(again).isEqualTo("201 recorded fresh");
        }
    }

    /// The server may give up waiting for the lock before the gateway dies: then there is no record, and the story is
    /// told again.
    @Test
    void recordThatReachesTheDatabaseOfAKilledGatewayIsReplayed() throws Exception {
        for (int i = 0; i < 5; i++) {
            String key = Canary.key();
            String path = "/plain/recording-" + i;
            String state = killWhileItRecords(path, key);
            Exchange again = StoppableReplica.post(restarted, path, key);
            assertThat(downstream.receivedAt(path)).hasSize(1);
            if (state.equals("recorded")) {
                assertThat(told(again)).isEqualTo("201 recorded replayed");
                assertThat(again.text()).isEqualTo("{\"recorded\":\"late\"}");
                return;
            }
            assertThat(told(again)).isEqualTo("409 in-doubt");
        }
        fail("the server gave up each of the records");
    }

    /// @return the entry's state in the end
    private static String killWhileItRecords(String path, String key) throws Exception {
        List<Connection> locks = new CopyOnWriteArrayList<>();
        downstream.at(path, (request, wire) -> {
            locks.add(lock("select from entry where idempotency_key = '" + key + "' for update"));
            Step.json(201, "{\"recorded\":\"late\"}").play(request, wire);
        });
        Replica doomed = Replica.start(folder, settings);
        int recording;
        try (RawCall _ = StoppableReplica.begin(doomed, path, key)) {
            recording = heldUpBy(locks, "update entry");
            doomed.program().kill();
        } finally {
            locks.forEach(CrashPointIT::unlock);
        }
        await().atMost(PATIENCE).until(() -> !isBusy(recording));
        await().atMost(PATIENCE).until(() -> !state(key).equals("claimed"));
        return state(key);
    }

    @Test
    void pointThatDoesNotExistFailsTheTest() {
        Debugger debugger = stoppable.debugger();
        assertThatThrownBy(() -> debugger.trap("dev.latchkey.gateway.Attempt", "nosuch", 1))
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> debugger.trap("dev.latchkey.gateway.Nosuch", "run", 1))
                .isInstanceOf(AssertionError.class);
    }

    private static Connection lock(String sql) {
        try {
            Connection connection = database.connect();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
            }
            return connection;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void unlock(Connection connection) {
        try (connection) {
            connection.rollback();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Waits for a statement that one of these locks holds up, and not for one that looks like it: upkeep runs all the time.
    ///
    /// @return the server's process that runs it
    private static int heldUpBy(List<Connection> locks, String statementPart) {
        return await().pollInterval(Duration.ofMillis(10)).atMost(PATIENCE).until(() -> {
            for (Connection lock : locks) {
                List<Integer> found = processes(
                        "? = any(pg_blocking_pids(pid)) and query like '%' || ? || '%'",
                        lock.unwrap(PGConnection.class).getBackendPID(), statementPart);
                if (!found.isEmpty()) {
                    return found.getFirst();
                }
            }
            return 0;
        }, process -> process != 0);
    }

    private static boolean isBusy(int process) throws SQLException {
        return !processes("pid = ? and state = 'active'", process).isEmpty();
    }

    private static List<Integer> processes(String condition, Object... arguments) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement look =
                        connection.prepareStatement("select pid from pg_stat_activity where " + condition)) {
            for (int i = 0; i < arguments.length; i++) {
                look.setObject(i + 1, arguments[i]);
            }
            List<Integer> found = new ArrayList<>();
            try (ResultSet row = look.executeQuery()) {
                while (row.next()) {
                    found.add(row.getInt(1));
                }
            }
            return found;
        }
    }

    private static String told(Exchange answer) {
        String state = answer.headers().first("Idempotency-State").orElse("no state");
        String replayed =
                answer.headers().first("Idempotent-Replayed").orElse("").equals("true") ? "replayed" : "fresh";
        return answer.status() + " " + state + (answer.status() < 400 ? " " + replayed : "");
    }

    private static String state(String key) {
        return String.valueOf(restarted.as(Client.ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath()
                .getString("state"));
    }

    private static Instant leaseUntil(String key) {
        return Instant.parse(restarted.management().get("/operator/entries?key=" + key).jsonPath()
                .getString("entries[0].lease_until"));
    }

    private static Instant now(Replica replica) {
        return Instant.parse(replica.management().get("/operator/entries?limit=1").jsonPath().getString("now"));
    }
}

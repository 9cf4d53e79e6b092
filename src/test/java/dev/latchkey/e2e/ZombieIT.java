package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Step;
import dev.latchkey.torture.Ending;
import dev.latchkey.torture.Mix;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A replica under load is stopped by a signal until all its leases are over and another replica has settled its keys by
/// lookups, which free those that took no effect. Then it wakes.
final class ZombieIT {

    private static final int KEYS = 600;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir
    private static Path folder;

    @Test
    void whoWakesAfterItsLeaseNeverSendsAndWritesOverNothing() throws Exception {
        Mix mix = Mix.calm().withCallers(48);
        try (TwoUnderLoad both = new TwoUnderLoad(folder, "/looked-up/zombie", Duration.ofSeconds(6), mix, 1);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            answerLookups(both);
            Future<?> load = callers.submit(() -> {
                both.load().run(begun -> begun < KEYS);
                return true;
            });
            await().atMost(PATIENCE).until(() -> both.load().ended() >= KEYS / 4);
            Program zombie = both.replica(0).program();
            stopWithClaimsUnderWay(both, zombie);
            load.get();
            both.awaitNone("state in (0, 2)");
            assertThat(both.count("select count(*) from entry_event where kind = 'in-doubt' and cause = 'lease-over'"))
                    .isPositive();
            both.load().repeatAll();
            assertThat(both.endings().values()).extracting(Ending::state).containsOnly("recorded");
            int forwards = both.forwards().size();

            zombie.goOn();

            await().atMost(PATIENCE).until(() -> isIdle(both.replica(0)));
            assertThat(both.forwards()).hasSize(forwards);
            assertThat(both.audit()).isEmpty();
            assertThat(both.endings().values()).hasSize(KEYS).extracting(Ending::state).containsOnly("recorded");
        }
    }

    /// Claims wait for a lock while the replica is stopped: they are committed after it, and it wakes with the right to
    /// forward.
    private static void stopWithClaimsUnderWay(TwoUnderLoad both, Program zombie) throws SQLException {
        both.callOnly(0);
        try (Connection lock = both.database().connect();
                Statement statement = lock.createStatement()) {
            lock.setAutoCommit(false);
            statement.execute("lock table entry in share mode");
            await().atMost(PATIENCE).until(() -> both.count(
                    """
                            select count(*) from pg_stat_activity
                             where datname = current_database() and wait_event_type = 'Lock'
                               and query like '%insert into entry as%'
                            """) >= 2);
            zombie.stop();
            lock.rollback();
        }
        both.callOnly(1);
    }

    /// The downstream says truly what it did.
    private static void answerLookups(TwoUnderLoad both) {
        both.downstream().always("/looked-up/lookup", (request, wire) -> {
            String key = request.target().substring(request.target().indexOf('=') + 1);
            boolean executed = both.forwards().stream().anyMatch(forward -> forward.key().equals(key));
            Step.json(200, executed ? "{\"data\":[{\"found\":true}]}" : "{\"data\":[]}").play(request, wire);
        });
    }

    private static boolean isIdle(Replica replica) {
        Metrics metrics = Metrics.of(replica);
        return metrics.sum("latchkey_forwards_under_way") == 0 && metrics.sum("latchkey_calls_under_way") == 0;
    }
}

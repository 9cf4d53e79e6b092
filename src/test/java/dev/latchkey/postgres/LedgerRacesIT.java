package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.Ledger.Claimed;
import dev.latchkey.gateway.Ledger.Settled;
import dev.latchkey.gateway.LedgerCases;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// What happens at the same moment: whoever wins, wins alone, and nobody's row or response is lost.
class LedgerRacesIT {

    private static final int ROUNDS = 25;

    private static TestLedger test;

    private final LedgerCases cases = new LedgerCases();

    @BeforeAll
    static void open() {
        test = TestLedger.open();
    }

    @AfterAll
    static void close() {
        test.close();
    }

    private long claimed(LedgerCases.Key key) {
        long attempt = cases.attempt();
        assertThat(claim(key, LedgerCases.Change.NONE, attempt, new Grounds.NoEntry())).isInstanceOf(Claimed.Won.class);
        return attempt;
    }

    private static Claimed claim(LedgerCases.Key key, LedgerCases.Change change, long attempt, Grounds grounds) {
        return test.ledger().claim(new Claim(key.ask(change), attempt, grounds));
    }

    private static Found found(EntryId id) {
        return Objects.requireNonNull(test.ledger().find(id));
    }

    /// Does all at once and gives what each came to.
    private static <T> List<T> together(List<Callable<T>> all) throws Exception {
        CyclicBarrier start = new CyclicBarrier(all.size());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> futures = new ArrayList<>();
            for (Callable<T> one : all) {
                futures.add(threads.submit(() -> {
                    start.await();
                    return one.call();
                }));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : futures) {
                results.add(future.get());
            }
            return results;
        }
    }

    @Test
    void g1OfManyClaimsOneWins() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            LedgerCases.Key key = cases.key();
            List<Callable<Claimed>> claims = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                long attempt = cases.attempt();
                claims.add(() -> claim(key, LedgerCases.Change.NONE, attempt, new Grounds.NoEntry()));
            }

            List<Claimed> results = together(claims);

            assertThat(results).filteredOn(it -> it instanceof Claimed.Won).hasSize(1);
            assertThat(results).filteredOn(it -> it instanceof Claimed.Lost)
                    .allSatisfy(it -> assertThat(((Claimed.Lost) it).found()).isNotNull());
        }
    }

    @Test
    void recordAndSweepEndRecorded() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            LedgerCases.Key key = cases.key();
            long attempt = claimed(key);
            test.age(key.id(), Duration.ofMinutes(1));

            together(List.of(
                    () -> test.ledger().settle(key.id(), attempt, cases.record(201)),
                    () -> test.ledger().sweep(500)));

            assertThat(found(key.id()).entry().state()).isEqualTo(State.RECORDED);
            assertThat(found(key.id()).response()).isNotNull();
        }
    }

    @Test
    void purgeNeverTakesAClaimThatWasWon() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            LedgerCases.Key key = cases.key();
            long first = claimed(key);
            test.ledger().settle(key.id(), first, cases.record(201, LedgerCases.BRIEF));
            test.age(key.id(), Duration.ofDays(41));
            long second = cases.attempt();

            List<Object> results = together(List.of(
                    () -> claim(key, LedgerCases.Change.NONE, second, new Grounds.NewGeneration(first)),
                    () -> test.ledger().purge(500, Duration.ofDays(1))));

            Found now = test.ledger().find(key.id());
            if (results.getFirst() instanceof Claimed.Won) {
                assertThat(Objects.requireNonNull(now).entry().attempt()).isEqualTo(second);
            } else {
                assertThat(now).isNull();
            }
        }
    }

    @Test
    void ofTwoCorrectionsOneWinsAndTheNumberGrowsByOne() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            LedgerCases.Key key = cases.key();
            long rejected = claimed(key);
            test.ledger().settle(key.id(), rejected, cases.record(422));
            long one = cases.attempt();
            long two = cases.attempt();

            List<Claimed> results = together(List.of(
                    () -> claim(key, LedgerCases.Change.BODY, one, new Grounds.NewGeneration(rejected)),
                    () -> claim(key, LedgerCases.Change.BODY, two, new Grounds.NewGeneration(rejected))));

            assertThat(results).filteredOn(it -> it instanceof Claimed.Won).hasSize(1);
            assertThat(found(key.id()).entry().correction()).isEqualTo(1);
        }
    }

    @Test
    void ofTwoReforwardsOneWins() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            LedgerCases.Key key = cases.key();
            long doubtful = claimed(key);
            test.ledger().settle(key.id(), doubtful, Transition.Doubt.of(Cause.TIMEOUT));
            long one = cases.attempt();
            long two = cases.attempt();

            List<Claimed> results = together(List.of(
                    () -> claim(key, LedgerCases.Change.NONE, one, new Grounds.Reforward(doubtful)),
                    () -> claim(key, LedgerCases.Change.NONE, two, new Grounds.Reforward(doubtful))));

            assertThat(results).filteredOn(it -> it instanceof Claimed.Won).hasSize(1);
            assertThat(found(key.id()).entry().attempts()).isEqualTo(2);
        }
    }

    @Test
    void lateRecordAndNewClaimOfAFreedKeyDoNotBothHold() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            LedgerCases.Key key = cases.key();
            long freed = claimed(key);
            test.ledger().settle(key.id(), freed, new Transition.Release(Cause.NOT_SENT));
            long second = cases.attempt();

            List<Object> results = together(List.of(
                    () -> test.ledger().settle(key.id(), freed, cases.record(201)),
                    () -> claim(key, LedgerCases.Change.NONE, second, new Grounds.NewGeneration(freed))));

            boolean recorded = results.getFirst() instanceof Settled.Applied;
            assertThat(results.getLast() instanceof Claimed.Won).isNotEqualTo(recorded);
            assertThat(found(key.id()).entry().state()).isEqualTo(recorded ? State.RECORDED : State.CLAIMED);
        }
    }

    // The moment between choosing a row and changing it, held open on purpose

    @Test
    void g14SweepLooksAgainAfterItsWait() throws Exception {
        LedgerCases.Key key = cases.key();
        long attempt = claimed(key);
        test.age(key.id(), Duration.ofMinutes(1));

        whileLocked(
                key.id(),
                () -> test.ledger().sweep(500),
                "update entry set state = 1, status = 201, recorded_at = now() where attempt = " + attempt);

        assertThat(found(key.id()).entry().state()).isEqualTo(State.RECORDED);
    }

    @Test
    void g14PurgeLooksAgainAfterItsWait() throws Exception {
        LedgerCases.Key key = cases.key();
        long attempt = claimed(key);
        test.ledger().settle(key.id(), attempt, cases.record(201, LedgerCases.BRIEF));
        test.age(key.id(), Duration.ofDays(41));

        whileLocked(
                key.id(),
                () -> test.ledger().purge(500, Duration.ofDays(1)),
                "update entry set state = 0, attempt = 7, expires_at = null, lease_until = now() + interval '1 minute'"
                        + " where attempt = " + attempt);

        assertThat(found(key.id()).entry().state()).isEqualTo(State.CLAIMED);
    }

    @Test
    void g14ClaimOnAnExpiredEntryLooksAgainAfterItsWait() throws Exception {
        LedgerCases.Key key = cases.key();
        long attempt = claimed(key);
        test.ledger().settle(key.id(), attempt, cases.record(201, LedgerCases.BRIEF));
        test.age(key.id(), Duration.ofDays(41));

        Object claimed = whileLocked(
                key.id(),
                () -> claim(key, LedgerCases.Change.NONE, cases.attempt(), new Grounds.NewGeneration(attempt)),
                "update entry set expires_at = null where attempt = " + attempt);

        assertThat(claimed).isInstanceOf(Claimed.Lost.class);
        assertThat(found(key.id()).response()).isNotNull();
    }

    /// Locks a row, starts the work, waits until it waits for the row, changes the row and lets it go.
    private static Object whileLocked(EntryId id, Callable<Object> work, String change) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection connection = test.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select 1 from entry where entry_id = '" + id + "' for update");
            Future<Object> result = threads.submit(work);
            await().atMost(Duration.ofSeconds(20)).until(test.database()::somebodyWaits);
            statement.execute(change);
            connection.commit();
            return result.get();
        }
    }
}

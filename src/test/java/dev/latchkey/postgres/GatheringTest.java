package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.postgres.Gathering.Bounds;
import dev.latchkey.postgres.Gathering.Outcome;
import dev.latchkey.testing.FixedClocks;
import dev.latchkey.testing.Said;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Items are numbers; the first batch is held until the test lets it go, so that what comes meanwhile gathers.
class GatheringTest {

    private static final int FIRST = -1;
    private static final int LATER = -2;
    private static final int BROKEN = 66;
    private static final int SHORT = 67;
    private static final int UNREACHED = 68;

    @RegisterExtension
    private final Said said = Said.by(Gathering.class);

    private final FixedClocks clocks = new FixedClocks();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch held = new CountDownLatch(1);
    private final CountDownLatch heldLater = new CountDownLatch(1);
    private final List<List<Integer>> batches = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final List<Future<String>> results = new ArrayList<>();

    @AfterEach
    void end() {
        held.countDown();
        heldLater.countDown();
        callers.shutdownNow();
    }

    private Gathering<Integer, String> gathering(Lanes lanes, Bounds bounds) {
        return new Gathering<>(this::work, GatheringTest::alone, lanes, bounds, clocks);
    }

    private static String alone(int item) {
        return "did " + item + " alone";
    }

    private List<Outcome<String>> work(List<Integer> batch) {
        batches.add(batch);
        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        try {
            if (batch.contains(FIRST)) {
                held.await();
            }
            if (batch.contains(LATER)) {
                heldLater.await();
            }
            if (batch.contains(13)) {
                throw new LedgerUnavailable("the connection was lost", true, null);
            }
            if (batch.contains(BROKEN)) {
                throw new IllegalStateException("a fault of ours");
            }
            if (batch.contains(UNREACHED)) {
                throw new LedgerUnreached("the ledger is gone", new IllegalStateException("refused"));
            }
            if (batch.contains(SHORT)) {
                throw new OutOfMemoryError("not really");
            }
            return batch.stream()
                    .map(i -> switch (i) {
                        case 7 -> new Outcome.Failed<String>(new LedgerUnavailable("seven", false, null));
                        case 40 -> new Outcome.Alone<String>();
                        default -> (Outcome<String>) new Outcome.Done<>("did " + i);
                    })
                    .toList();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            atOnce.decrementAndGet();
        }
    }

    /// Hands in what the first batch holds up, in this order.
    private void handIn(Gathering<Integer, String> gathering, int... items) {
        results.add(callers.submit(() -> gathering.submit(FIRST, 1)));
        await().until(() -> !batches.isEmpty());
        int before = 0;
        for (int item : items) {
            results.add(callers.submit(() -> gathering.submit(item, Math.max(1, item))));
            int queued = ++before;
            await().until(() -> gathering.queued() == queued);
        }
    }

    private List<String> all() throws ExecutionException, InterruptedException {
        List<String> all = new ArrayList<>();
        for (Future<String> result : results) {
            all.add(result.get());
        }
        return all;
    }

    @Test
    void loneItemIsCarriedOutByItsOwnCallerAtOnce() {
        List<Thread> threads = new ArrayList<>();
        Gathering<Integer, String> gathering = new Gathering<>(batch -> {
            threads.add(Thread.currentThread());
            return List.of(new Outcome.Done<>("done"));
        }, GatheringTest::alone, Lanes.one(1), new Bounds(10, 10), clocks);

        assertThat(gathering.submit(1, 1)).isEqualTo("done");
        assertThat(threads).containsExactly(Thread.currentThread());
    }

    @Test
    void whatComesWhileTheLaneIsBusyIsOneBatch() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(100, 1_000));
        handIn(gathering, 1, 2, 3);
        held.countDown();

        assertThat(all()).containsExactly("did -1", "did 1", "did 2", "did 3");
        assertThat(batches).containsExactly(List.of(FIRST), List.of(1, 2, 3));
        assertThat(mostAtOnce).hasValue(1);
    }

    @Test
    void batchIsBoundedInItems() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(2, 1_000));
        handIn(gathering, 1, 2, 3, 4, 5);
        held.countDown();
        all();

        assertThat(batches).containsExactly(List.of(FIRST), List.of(1, 2), List.of(3, 4), List.of(5));
    }

    @Test
    void batchIsBoundedInBytesAndTheFirstAlwaysGoes() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(100, 50));
        handIn(gathering, 20, 30, 1, 90, 2);
        held.countDown();
        all();

        assertThat(batches).containsExactly(List.of(FIRST), List.of(20, 30), List.of(1), List.of(90), List.of(2));
    }

    @Test
    void openLanesShareWhatIsQueued() throws Exception {
        Lanes lanes = new Lanes(2, clocks::nanos);
        Gathering<Integer, String> gathering = gathering(lanes, new Bounds(100, 1_000));
        handIn(gathering, 1, 2, 3, 4, 5, 6);
        for (int i = 0; lanes.open() == 1 && i < 100; i++) {
            lanes.committed(TimeUnit.MILLISECONDS.toNanos(5), 1);
        }
        held.countDown();
        all();

        assertThat(batches.getFirst()).containsExactly(FIRST);
        assertThat(batches.subList(1, batches.size())).contains(List.of(1, 2, 3)).hasSizeGreaterThanOrEqualTo(2);
        assertThat(mostAtOnce.get()).isLessThanOrEqualTo(2);
    }

    @Test
    void eachGetsItsOwnFailure() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(100, 1_000));
        handIn(gathering, 6, 7, 8);
        held.countDown();

        assertThat(results.get(1).get()).isEqualTo("did 6");
        assertThatThrownBy(() -> results.get(2).get()).hasRootCauseMessage("seven");
        assertThat(results.get(3).get()).isEqualTo("did 8");
    }

    @Test
    void whatABatchLeavesIsCarriedOutAlone() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(100, 1_000));
        handIn(gathering, 39, 40, 41);
        held.countDown();

        assertThat(all()).containsExactly("did -1", "did 39", "did 40 alone", "did 41");
        assertThat(batches).containsExactly(List.of(FIRST), List.of(39, 40, 41));
    }

    @Test
    void brokenBatchFailsAllOfItAndNothingElse() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(2, 1_000));
        handIn(gathering, 12, 13, 14);
        held.countDown();

        for (int i : new int[] {1, 2}) {
            assertThatThrownBy(() -> results.get(i).get()).cause()
                    .isInstanceOfSatisfying(LedgerUnavailable.class, e -> assertThat(e.commitUnknown()).isTrue());
        }
        assertThat(results.get(3).get()).isEqualTo("did 14");
        assertThat(gathering.submit(15, 1)).isEqualTo("did 15");
    }

    /// Else they would wait for a connection after they have waited for others who did.
    @Test
    void whoIsQueuedWhileNoServerIsReachedIsToldAtOnceAndNothingOfItIsDone() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(2, 1_000));
        handIn(gathering, 12, UNREACHED, 14, 15, 16);
        held.countDown();

        for (int i : new int[] {1, 2, 3, 4, 5}) {
            assertThatThrownBy(() -> results.get(i).get()).cause()
                    .isInstanceOfSatisfying(LedgerUnavailable.class, e -> assertThat(e.commitUnknown()).isFalse());
        }
        assertThat(batches).containsExactly(List.of(FIRST), List.of(12, UNREACHED));
        assertThat(gathering.submit(17, 1)).isEqualTo("did 17");
    }

    /// It may have been committed: else nobody would look, and nobody would release what was claimed.
    @ParameterizedTest
    @ValueSource(ints = {BROKEN, SHORT})
    void whatABatchMustNotThrowIsUnknownToAllOfItAndSaidOnce(int bad) throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(2, 1_000));
        handIn(gathering, 12, bad, 14);
        held.countDown();

        for (int i : new int[] {1, 2}) {
            assertThatThrownBy(() -> results.get(i).get()).cause()
                    .isInstanceOfSatisfying(LedgerUnavailable.class, e -> assertThat(e.commitUnknown()).isTrue());
        }
        assertThat(results.get(3).get()).isEqualTo("did 14");
        await().until(() -> said.lines().size() == 1);
    }

    @Test
    void whoIsNotTakenUpInTimeIsRefusedAndNothingOfItIsDoneLater() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(100, 1_000));
        handIn(gathering, 1);

        assertThatThrownBy(() -> results.get(1).get()).cause()
                .isInstanceOfSatisfying(LedgerUnavailable.class, e -> assertThat(e.commitUnknown()).isFalse());
        held.countDown();

        assertThat(results.getFirst().get()).isEqualTo("did -1");
        assertThat(gathering.submit(2, 1)).isEqualTo("did 2");
        assertThat(batches).containsExactly(List.of(FIRST), List.of(2));
    }

    /// On a connection whose other end is gone, for as long as the socket's timeout.
    @Test
    void whatComesWhileABatchIsStuckPassesItByALaneThatIsClosedElse() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(2), new Bounds(100, 1_000));
        handIn(gathering, 1);
        clocks.forward(Duration.ofSeconds(1));

        assertThat(results.get(1).get()).isEqualTo("did 1");
        assertThat(gathering.submit(2, 1)).isEqualTo("did 2");
        assertThat(results.getFirst().isDone()).isFalse();
        assertThat(batches).containsExactly(List.of(FIRST), List.of(1), List.of(2));
    }

    @Test
    void stuckBatchesAreNoMoreThanThereAreLanesAndGiveThemBack() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(2), new Bounds(100, 1_000));
        handIn(gathering, FIRST);
        clocks.forward(Duration.ofSeconds(1));
        await().until(() -> batches.size() == 2);
        clocks.forward(Duration.ofSeconds(1));

        assertThatThrownBy(() -> gathering.submit(2, 1)).isInstanceOf(LedgerUnavailable.class);
        held.countDown();
        assertThat(all()).containsOnly("did -1");

        results.add(callers.submit(() -> gathering.submit(LATER, 1)));
        await().until(() -> batches.size() == 3);
        results.add(callers.submit(() -> gathering.submit(3, 1)));
        await().until(() -> gathering.queued() == 1);
        heldLater.countDown();
        assertThat(all()).contains("did -2", "did 3");
        assertThat(mostAtOnce).hasValue(2);
    }

    @Test
    void interruptedCallerWhoseItemIsQueuedGivesItUp() throws Exception {
        Gathering<Integer, String> gathering = gathering(Lanes.one(1), new Bounds(100, 1_000));
        handIn(gathering, 1, 2);

        results.get(1).cancel(true);
        await().until(() -> gathering.queued() == 1);
        held.countDown();

        assertThat(results.get(2).get()).isEqualTo("did 2");
        assertThat(batches).containsExactly(List.of(FIRST), List.of(2));
    }

    @Test
    void interruptedCallerDoesNotDisturbTheBatchThatItCarriesOut() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        Gathering<Integer, String> gathering = new Gathering<>(batch -> {
            batches.add(batch);
            boolean disturbed = Thread.currentThread().isInterrupted();
            return batch.stream().map(i -> (Outcome<String>) new Outcome.Done<>("disturbed: " + disturbed)).toList();
        }, GatheringTest::alone, Lanes.one(1), new Bounds(100, 1_000), clocks);

        Future<String> result = callers.submit(() -> {
            Thread.currentThread().interrupt();
            String told = gathering.submit(1, 1);
            if (Thread.interrupted()) {
                interrupted.countDown();
            }
            return told;
        });

        assertThat(result.get()).isEqualTo("disturbed: false");
        assertThat(interrupted.await(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void manyCallersGetEachTheirOwn() throws Exception {
        Lanes lanes = new Lanes(4, clocks::nanos);
        Gathering<Integer, String> gathering = new Gathering<>(batch -> {
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            lanes.committed(TimeUnit.MILLISECONDS.toNanos(batch.size() % 2 == 0 ? 5 : 1), 1);
            atOnce.decrementAndGet();
            return batch.stream().map(i -> (Outcome<String>) new Outcome.Done<>("did " + i)).toList();
        }, GatheringTest::alone, lanes, new Bounds(16, 1_000_000), clocks);
        for (int caller = 0; caller < 50; caller++) {
            int from = caller * 1_000;
            results.add(callers.submit(() -> {
                for (int i = from; i < from + 200; i++) {
                    assertThat(gathering.submit(i, 1)).isEqualTo("did " + i);
                }
                return "ok";
            }));
        }

        assertThat(all()).containsOnly("ok");
        assertThat(mostAtOnce.get()).isBetween(1, 4);
        assertThat(gathering.queued()).isZero();
    }
}

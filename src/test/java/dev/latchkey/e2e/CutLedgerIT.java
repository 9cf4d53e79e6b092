package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Calm;
import dev.latchkey.testing.Cut;
import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.Ending;
import dev.latchkey.testing.Fault;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Spot;
import dev.latchkey.testing.Step;
import dev.latchkey.testing.TestPostgres;
import dev.latchkey.testing.Way;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The network between gateway and PostgreSQL breaks at a claim or at a record, before, within and after it: a key is
/// forwarded once at most, every answer is true, and nothing stays in doubt that was never sent.
///
/// The caller's key is in the bytes of its claim, and the response's body in those of its record: by these they are found.
@EndToEnd
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Calm
final class CutLedgerIT {

    /// The issue's.
    private static final Duration AT_MOST = Duration.ofSeconds(10);

    private final RawDownstream downstream;
    private final TestPostgres database = TestPostgres.create();
    private final CuttingProxy proxy = CuttingProxy.to(database.port());
    private final Replica gateway;
    private final Replica beside;

    CutLedgerIT(World world) {
        downstream = world.downstream();
        beside = world.start(settings(database));
        gateway = world.start(settings(database.through(proxy.port())));
    }

    private String settings(TestPostgres ledger) {
        return Settings.of(Settings.ledger(ledger), downstream.url(), downstream.url());
    }

    @AfterEach
    void mend() {
        proxy.mend();
    }

    @AfterAll
    void close() {
        gateway.close();
        beside.close();
        proxy.close();
        database.close();
    }

    static Stream<Arguments> neverArrived() {
        return times(Stream.of(Arguments.of("before", Spot.after(0)), Arguments.of("within", Spot.after(60))));
    }

    static Stream<Arguments> neverAcknowledged() {
        return times(Stream.of(Arguments.of("before", Spot.after(0)), Arguments.of("within", Spot.after(9))));
    }

    private static Stream<Arguments> times(Stream<Arguments> spots) {
        return spots.flatMap(spot -> Stream.of(Ending.RESET, Ending.FIN)
                .map(how -> Arguments.of(spot.get()[0], spot.get()[1], how)));
    }

    // At the claim

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("neverArrived")
    void claimThatNeverArrivedIsRefusedAndNothingIsSent(String name, Spot spot, Ending how) throws Exception {
        Call call = new Call("/payments", "/pay");
        Cut cut = call.cut(Cut.ofRequest(call.key, spot, how));

        Expect.refusedForNow(call.by(gateway), 503, "ledger-unavailable");

        cut.awaitStruck();
        assertThat(call.row()).isEqualTo(Row.NONE);
        call.runsAsNew();
    }

    /// G7: confirmed by a write, on another connection, and then forwarded.
    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("neverAcknowledged")
    void g7ClaimWhoseAcknowledgementIsLostIsConfirmedAndForwarded(String name, Spot spot, Ending how)
            throws Exception {
        Call call = new Call("/payments", "/pay");
        Cut cut = call.cut(Cut.ofAnswer(call.key, spot, how));

        Response first = Expect.fresh(call.by(gateway), 201);

        cut.awaitStruck();
        assertThat(first.asString()).isEqualTo(call.response);
        assertThat(call.row()).isEqualTo(new Row(1, 1));
        call.replays();
    }

    /// G7: each of a batch confirms its own.
    @Test
    void g7BatchOfClaimsWhoseAcknowledgementIsLostIsConfirmedAndForwarded() {
        // Where the machine is busy, callers may come one after the other.
        await().until(this::aBatchOfClaimsIsCut);
    }

    private boolean aBatchOfClaimsIsCut() throws Exception {
        List<Call> calls =
                Stream.generate(() -> new Call("/payments", "/pay")).limit(16).toList();
        BatchCut cut = new BatchCut(calls.stream().map(call -> call.key).toList());
        proxy.with(cut);
        List<Future<Response>> answers;
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            answers = calls.stream()
                    .map(call -> callers.submit(() -> call.by(gateway)))
                    .toList();
        }
        proxy.withoutFaults();
        if (!cut.hasStruck()) {
            return false;
        }
        for (int i = 0; i < calls.size(); i++) {
            Call call = calls.get(i);
            assertThat(Expect.fresh(answers.get(i).get(), 201).asString()).isEqualTo(call.response);
            assertThat(call.row()).isEqualTo(new Row(1, 1));
            call.replays();
        }
        return true;
    }

    /// Holds the answers to claims that go alone back, so that others gather, and cuts that to the first batch.
    private static final class BatchCut implements Fault {

        /// Shorter than others wait before they pass what is stuck, and than a claim may take.
        private static final Duration HOLD = Duration.ofMillis(300);

        private final List<String> keys;
        private final Set<Object> alone = ConcurrentHashMap.newKeySet();
        private final AtomicReference<@Nullable Object> batch = new AtomicReference<>();
        private final CountDownLatch struck = new CountDownLatch(1);

        private BatchCut(List<String> keys) {
            this.keys = keys;
        }

        @Override
        public Optional<Strike> look(Object link, Way way, byte[] came) {
            if (way == Way.REQUEST) {
                String text = new String(came, StandardCharsets.ISO_8859_1);
                long held = keys.stream().filter(text::contains).count();
                if (held == 1) {
                    alone.add(link);
                } else if (held > 1) {
                    batch.compareAndSet(null, link);
                }
            } else if (link.equals(batch.get()) && !hasStruck()) {
                struck.countDown();
                return Optional.of(new Strike(0, Ending.RESET));
            } else if (alone.remove(link)) {
                awaitStruck();
            }
            return Optional.empty();
        }

        private void awaitStruck() {
            try {
                struck.await(HOLD.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        boolean hasStruck() {
            return struck.getCount() == 0;
        }
    }

    /// G8, G9: the caller was told that nothing was forwarded, so nothing is, and the key is freed.
    @Test
    void g9ClaimThatCannotBeConfirmedIsNeverSentAndIsFreed() throws Exception {
        Call call = new Call("/payments", "/pay");
        Cut cut = call.cut(Cut.ofAnswer(call.key, Spot.after(0), Ending.RESET).andAllAfterwards());

        Expect.refusedForNow(call.by(gateway), 503, "ledger-unavailable");

        cut.awaitStruck();
        assertThat(call.row()).isEqualTo(new Row(0, 1));
        assertThat(call.received()).isZero();
        proxy.withoutFaults();
        await().until(() -> call.row().equals(new Row(3, 1)));
        call.runsAsNew();
    }

    /// G9: its lease may end and another replica may put it in doubt meanwhile.
    @Test
    void g9ClaimThatWasSweptMeanwhileIsFreedToo() throws Exception {
        Call call = new Call("/quick", "/quick");
        call.cut(Cut.ofAnswer(call.key, Spot.after(0), Ending.RESET).andAllAfterwards());

        Expect.refusedForNow(call.by(gateway), 503, "ledger-unavailable");

        await().until(() -> call.row().equals(new Row(2, 1)));
        Expect.refused(call.by(beside), 409, "outcome-unknown");
        proxy.withoutFaults();
        await().until(() -> call.row().equals(new Row(3, 1)));
        assertThat(call.received()).isZero();
        call.runsAsNew();
    }

    // At the record

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("neverArrived")
    void recordThatNeverArrivedIsMadeAgain(String name, Spot spot, Ending how) throws Exception {
        Call call = new Call("/payments", "/pay");
        Cut cut = call.cut(Cut.ofRequest(call.mark, spot, how));

        Response first = Expect.fresh(call.by(gateway), 201);

        cut.awaitStruck();
        assertThat(first.asString()).isEqualTo(call.response);
        call.replays();
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("neverAcknowledged")
    void g7RecordWhoseAcknowledgementIsLostIsConfirmed(String name, Spot spot, Ending how) throws Exception {
        Call call = new Call("/payments", "/pay");
        Cut cut = call.cut(Cut.ofAnswer(call.mark, spot, how));

        Response first = Expect.fresh(call.by(gateway), 201);

        cut.awaitStruck();
        assertThat(first.asString()).isEqualTo(call.response);
        call.replays();
        assertThat(call.hasHistory()).isFalse();
    }

    static Stream<Arguments> lostForLong() {
        return Stream.of(
                Arguments.of("never arrived", Way.REQUEST, new Row(0, 1)),
                Arguments.of("committed", Way.ANSWER, new Row(1, 1)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("lostForLong")
    void callerOfALedgerThatIsLostForLongGetsTheTrueResponse(String name, Way way, Row meanwhile) throws Exception {
        Call call = new Call("/quick", "/quick");
        Cut cut = way == Way.REQUEST
                ? Cut.ofRequest(call.mark, Spot.after(0), Ending.RESET)
                : Cut.ofAnswer(call.mark, Spot.after(0), Ending.RESET);
        call.cut(cut.andAllAfterwards());

        Response first = Expect.passed(call.by(gateway), 201, "in-doubt");

        cut.awaitStruck();
        assertThat(first.asString()).isEqualTo(call.response);
        assertThat(call.row()).isEqualTo(meanwhile);
        proxy.withoutFaults();
        await().until(() -> call.row().state() == 1);
        call.replays();
    }

    @Test
    void releaseWhoseAcknowledgementIsLostFreesTheKeyOnce() throws Exception {
        Call call = new Call("/payments", "/pay", Step.json(429, "{}").header("Retry-After", "1"));
        Cut cut = call.cut(Cut.ofAnswer("status-429", Spot.after(0), Ending.RESET));

        Expect.passed(call.by(gateway), 429, "released");

        cut.awaitStruck();
        assertThat(call.row()).isEqualTo(new Row(3, 1));
        Expect.fresh(call.by(beside), 201);
        assertThat(call.received()).isEqualTo(2);
    }

    @Test
    void doubtWhoseAcknowledgementIsLostIsToldOnce() throws Exception {
        Call call = new Call("/payments", "/pay", Step.json(500, "{}"));
        Cut cut = call.cut(Cut.ofAnswer("status-500", Spot.after(0), Ending.RESET));

        Expect.passed(call.by(gateway), 500, "in-doubt");

        cut.awaitStruck();
        Expect.refused(call.by(beside), 409, "outcome-unknown");
        Expect.refused(call.by(gateway), 409, "outcome-unknown");
        assertThat(call.received()).isEqualTo(1);
    }

    // Half open

    // One after the other: the calls of a batch share its connection, and so its silence.

    @Test
    void halfOpenConnectionUnderAClaimIsGivenUpInTime() {
        Call call = new Call("/payments", "/pay");
        call.cut(Cut.ofRequest(call.key, Spot.after(0), Ending.SILENCE));
        Expect.refusedForNow(inTime(call), 503, "ledger-unavailable");
        call.runsAsNew();
    }

    @Test
    void halfOpenConnectionUnderAClaimKeepsNobodyElseWaiting() throws Exception {
        Call stuck = new Call("/payments", "/pay");
        Cut cut = stuck.cut(Cut.ofRequest(stuck.key, Spot.after(0), Ending.SILENCE));
        try (ExecutorService caller = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> answer = caller.submit(() -> stuck.by(gateway));
            cut.awaitStruck();

            Expect.fresh(new Call("/payments", "/pay").by(gateway), 201);

            assertThat(answer.isDone()).isFalse();
            Expect.refusedForNow(answer.get(), 503, "ledger-unavailable");
        }
        stuck.runsAsNew();
    }

    @Test
    void halfOpenConnectionUnderAClaimsAcknowledgementIsGivenUpInTime() {
        Call call = new Call("/payments", "/pay");
        call.cut(Cut.ofAnswer(call.key, Spot.after(0), Ending.SILENCE));
        // Nobody looks whether it was won: by then it would be too late to send.
        Expect.refusedForNow(inTime(call), 503, "ledger-unavailable");
        call.runsAsNew();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void halfOpenConnectionUnderARecordIsGivenUpInTime(boolean arrives) {
        Call call = new Call("/payments", "/pay");
        call.cut(arrives
                ? Cut.ofAnswer(call.mark, Spot.after(0), Ending.SILENCE)
                : Cut.ofRequest(call.mark, Spot.after(0), Ending.SILENCE));
        assertThat(Expect.fresh(inTime(call), 201).asString()).isEqualTo(call.response);
        call.replays();
    }

    @Test
    void ledgerThatVanishesIsGivenUpInTime() throws Exception {
        Call remembered = new Call("/payments", "/pay");
        Expect.fresh(remembered.by(gateway), 201);
        Call call = new Call("/payments", "/pay");
        Cut cut = call.cut(Cut.ofAnswer(call.key, Spot.after(0), Ending.VANISHED).andAllAfterwards());

        Expect.refusedForNow(inTime(call), 503, "ledger-unavailable");

        cut.awaitStruck();
        Expect.refusedForNow(inTime(new Call("/payments", "/pay")), 503, "ledger-unavailable");
        Expect.replayed(remembered.by(gateway), 201);
        assertThat(call.received()).isZero();
        proxy.withoutFaults();
        await().until(() -> call.row().equals(new Row(3, 1)));
        // A connection that was being made while nothing answered is given up only after the socket's five seconds.
        await().until(() -> new Call("/payments", "/pay").by(gateway).statusCode() == 201);
        call.runsAsNew();
    }

    private Response inTime(Call call) {
        long began = System.nanoTime();
        Response answer = call.by(gateway);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(AT_MOST);
        return answer;
    }

    @Test
    void slowNetworkOnlyCostsTime() throws Exception {
        for (Way way : Way.values()) {
            proxy.delay(way, Duration.ofMillis(20));
        }
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                all.add(calls.submit(() -> {
                    Call call = new Call("/payments", "/pay");
                    // Where the machine is busy too, a connection to the ledger may not be free in time.
                    await().until(() -> call.by(gateway).statusCode() == 201);
                    call.replays();
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
    }

    /// What the ledger holds.
    ///
    /// @param state by its number; -1: no row
    private record Row(int state, int attempts) {

        static final Row NONE = new Row(-1, 0);
    }

    /// One request under one key, made again and again, on a path of its own.
    private final class Call {

        final String key = Canary.key();
        final String mark = "response-of-" + key.substring(Canary.MARK.length() + 5);
        final String response = "{\"id\":\"" + mark + "\"}";
        private final String path = "/" + mark.substring("response-".length());
        private final String prefix;
        private final String below;

        Call(String prefix, String base, Step... steps) {
            this.prefix = prefix;
            this.below = base + path;
            downstream.at(below, steps).always(below, Step.json(201, response));
        }

        Cut cut(Cut cut) {
            proxy.with(cut);
            return cut;
        }

        Response by(Replica replica) {
            return replica.keyed(ALICE, key).body("{}").post(prefix + path);
        }

        int received() {
            return downstream.receivedAt(below).size();
        }

        Row row() {
            try (Connection connection = database.connect();
                    PreparedStatement look = connection.prepareStatement(
                            "select state, attempts from entry where idempotency_key = ?")) {
                look.setString(1, key);
                try (ResultSet row = look.executeQuery()) {
                    return row.next() ? new Row(row.getInt(1), row.getInt(2)) : Row.NONE;
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /// Whether something befell it that its history keeps.
        boolean hasHistory() {
            try (Connection connection = database.connect();
                    PreparedStatement look = connection.prepareStatement(
                            "select from entry join entry_event using (entry_id) where idempotency_key = ?")) {
                look.setString(1, key);
                try (ResultSet row = look.executeQuery()) {
                    return row.next();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        /// Nothing was sent so far, and the key is free.
        void runsAsNew() {
            assertThat(received()).isZero();
            assertThat(Expect.fresh(by(gateway), 201).asString()).isEqualTo(response);
            replays();
        }

        void replays() {
            for (Replica replica : List.of(gateway, beside)) {
                assertThat(Expect.replayed(by(replica), 201).asString()).isEqualTo(response);
            }
            assertThat(received()).isEqualTo(1);
        }
    }
}

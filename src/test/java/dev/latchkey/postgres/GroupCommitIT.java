package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.latchkey.encryption.KeyRing;
import dev.latchkey.gateway.Ledger.Claimed;
import dev.latchkey.gateway.Ledger.Settled;
import dev.latchkey.gateway.LedgerCases;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.postgres.BatchStatement.Fence;
import dev.latchkey.postgres.BatchStatement.FirstClaim;
import dev.latchkey.postgres.BatchStatement.Told;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What it takes for many writes in one transaction to be as right as each alone.
class GroupCommitIT {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Seals PLAIN = new Seals(KeyRing.NONE);

    /// Of each batch that the group has carried out.
    private static final List<Integer> SIZES = new CopyOnWriteArrayList<>();

    private final LedgerCases cases = new LedgerCases();
    private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();
    private static TestLedger test;
    private static Database lanes;
    private static Database pool;
    private static GroupCommit group;

    @BeforeAll
    static void open() {
        test = TestLedger.open();
        PostgresSettings settings = TestLedger.settings(test.database());
        Primary primary = new Primary(settings.url());
        lanes = Database.growing(
                Sessions.forCalls(settings, primary, TestLedger.CLOCKS), primary, "lanes", 4, BatchSql.SESSION,
                new Pulse(TestLedger.CLOCKS));
        pool = new Database(
                Sessions.forCalls(settings, primary, TestLedger.CLOCKS), primary, 4, new Pulse(TestLedger.CLOCKS));
        group = new GroupCommit(
                lanes, pool, Lanes.one(1), PLAIN, false, 2,
                (items, nanos) -> SIZES.add(items), TestLedger.CLOCKS);
    }

    @AfterEach
    void endTrouble() {
        callers.shutdownNow();
        test.database().run("drop function if exists trouble cascade; drop sequence if exists tries;"
                + " alter table entry drop constraint if exists no_bad_target");
    }

    @AfterAll
    static void close() {
        lanes.close();
        pool.close();
        test.close();
    }

    private Claim claim(LedgerCases.Key key) {
        return new Claim(key.ask(), cases.attempt(), new Grounds.NoEntry());
    }

    private Recording record(LedgerCases.Key key, long attempt) {
        return Recording.in(key.id(), attempt, cases.record(201), PLAIN).orElseThrow();
    }

    /// Claims, past the group.
    private long claimed(LedgerCases.Key key) {
        Claim claim = claim(key);
        test.ledger().claim(claim);
        return claim.attempt();
    }

    private Found found(LedgerCases.Key key) {
        return Objects.requireNonNull(test.ledger().find(key.id()));
    }

    private State stateOf(LedgerCases.Key key) {
        Found found = test.ledger().find(key.id());
        return found == null ? State.RELEASED : found.entry().state();
    }

    private Told together(List<Claim> claims, List<Recording> records) {
        BatchStatement statement = new BatchStatement(new Rows(PLAIN), false);
        return lanes.write("write a batch", handle -> statement.run(
                handle, claims.stream().map(it -> new FirstClaim(it, it.ask().target())).toList(), records));
    }

    /// As long as the test needs to look.
    private static Told patiently(List<Recording> records) {
        BatchStatement statement = new BatchStatement(new Rows(PLAIN), false);
        return lanes.write("write a batch", handle -> {
            handle.execute("set lock_timeout = '60s'; set statement_timeout = '60s'");
            Told told = statement.run(handle, List.of(), records);
            handle.execute("set lock_timeout = '250ms'; set statement_timeout = '4s'");
            return told;
        });
    }

    /// Hands all in while the only lane is busy, so that they make one batch, and gives what came of each.
    private <T> List<Future<T>> inOneBatch(List<Supplier<T>> writes) throws InterruptedException {
        CountDownLatch held = new CountDownLatch(1);
        CountDownLatch busy = new CountDownLatch(1);
        callers.execute(() -> group.claim(claim(cases.key()), _ -> {
            busy.countDown();
            joined(held);
            return Optional.empty();
        }));
        busy.await();
        List<Future<T>> results = new ArrayList<>();
        for (Supplier<T> write : writes) {
            results.add(callers.submit(write::get));
        }
        await().atMost(PATIENCE).until(() -> group.queued() == writes.size());
        held.countDown();
        return results;
    }

    private static void joined(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What must not be called: all of them go together.
    private static Optional<Found> notAlone(Database any) {
        throw new AssertionError("written alone");
    }

    // 1. One key twice

    @Test
    void ofTwoClaimsOfOneKeyInOneBatchOneWinsAndKnowsIt() {
        LedgerCases.Key key = cases.key();
        Claim one = claim(key);
        Claim two = claim(key);

        Told told = together(List.of(one, two), List.of());

        assertThat(told.won()).hasSize(1);
        Found found = found(key);
        assertThat(told.won()).containsExactly(new Fence(key.id().uuid(), found.entry().attempt()));
    }

    @Test
    void recordOfAKeyAndAnothersClaimOfItInOneBatchRecord() {
        LedgerCases.Key key = cases.key();
        long attempt = claimed(key);
        Claim late = claim(key);

        Told told = together(List.of(late), List.of(record(key, attempt)));

        assertThat(told.won()).isEmpty();
        assertThat(told.recorded()).containsOnlyKeys(new Fence(key.id().uuid(), attempt));
        assertThat(stateOf(key)).isEqualTo(State.RECORDED);
    }

    @Test
    void twoRecordsOfOneAttemptDoNotGoTogether() throws Exception {
        LedgerCases.Key key = cases.key();
        LedgerCases.Key other = cases.key();
        long attempt = claimed(key);
        long otherAttempt = claimed(other);
        List<String> alone = Collections.synchronizedList(new ArrayList<>());
        Supplier<Optional<Found>> recording = () -> group.record(record(key, attempt), _ -> {
            alone.add("again");
            return Optional.empty();
        });

        List<Future<Optional<Found>>> results = inOneBatch(List.of(
                recording,
                () -> group.record(record(other, otherAttempt), GroupCommitIT::notAlone),
                recording));

        for (Future<Optional<Found>> result : results) {
            result.get();
        }
        assertThat(alone).containsExactly("again");
    }

    // 2. Losers look again

    @Test
    void loserOfABatchIsShownTheWinner() throws Exception {
        LedgerCases.Key key = cases.key();
        List<Future<Optional<Found>>> results = inOneBatch(List.of(
                () -> group.claim(claim(key), GroupCommitIT::notAlone),
                () -> group.claim(claim(key), GroupCommitIT::notAlone)));

        Optional<Found> one = results.get(0).get();
        Optional<Found> two = results.get(1).get();
        assertThat(one.isPresent()).isNotEqualTo(two.isPresent());
        assertThat(one.or(() -> two).map(found -> found.entry().attempt()))
                .hasValue(found(key).entry().attempt());
    }

    /// Else each replay from the ledger would cost a query more.
    @Test
    void loserOfABatchIsToldWhatLayThereBefore() {
        LedgerCases.Key brief = cases.key();
        LedgerCases.Key large = cases.key();
        Transition.Record tooLong = new Transition.Record(
                201, Headers.empty(), Body.of(new byte[100_000]), false, LedgerCases.BRIEF);
        together(List.of(), List.of(
                record(brief, claimed(brief)),
                Recording.in(large.id(), claimed(large), tooLong, PLAIN).orElseThrow()));
        LedgerCases.Key fresh = cases.key();

        Told told = together(List.of(claim(brief), claim(large), claim(fresh)), List.of());

        assertThat(told.won()).extracting(BatchStatement.Fence::id).containsExactly(fresh.id().uuid());
        assertThat(told.before()).containsOnlyKeys(brief.id().uuid());
        assertThat(told.before().get(brief.id().uuid())).usingRecursiveComparison().ignoringFields("now")
                .isEqualTo(found(brief));
        assertThat(test.ledger().claim(claim(large)))
                .isInstanceOfSatisfying(Claimed.Lost.class, lost -> assertThat(lost.found()).usingRecursiveComparison()
                        .ignoringFields("now").isEqualTo(found(large)));
    }

    // 3. Order, deadlocks, locks

    private List<LedgerCases.Key> keysBackwards(int many) {
        List<LedgerCases.Key> keys = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            keys.add(cases.key());
        }
        keys.sort(Comparator.comparing((LedgerCases.Key key) -> key.id().uuid()).reversed());
        return keys;
    }

    @Test
    void claimsAreWrittenInTheOrderOfTheirIds() throws Exception {
        List<LedgerCases.Key> backwards = keysBackwards(20);
        together(backwards.stream().map(this::claim).toList(), List.of());

        List<UUID> written = new ArrayList<>();
        try (Connection connection = test.database().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select entry_id from entry where client = '" + cases.client() + "' order by ctid")) {
            while (rows.next()) {
                written.add(rows.getObject(1, UUID.class));
            }
        }
        assertThat(written).isEqualTo(backwards.reversed().stream().map(key -> key.id().uuid()).toList());
    }

    @Test
    void recordsLockInTheOrderOfTheirIds() throws Exception {
        List<LedgerCases.Key> backwards = keysBackwards(5);
        List<Recording> records = backwards.stream().map(key -> record(key, claimed(key))).toList();
        try (Connection connection = test.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("select from entry where entry_id = '" + backwards.getLast().id() + "' for update");
            Future<Told> batch = callers.submit(() -> patiently(records));
            await().atMost(PATIENCE).until(test.database()::somebodyWaits);

            // It stands before the first: none of the others is locked.
            try (ResultSet free =
                    statement.executeQuery("select count(*) from (select from entry where client = '" + cases.client()
                            + "' for update skip locked) f")) {
                free.next();
                assertThat(free.getInt(1)).isEqualTo(5);
            }
            connection.commit();
            assertThat(batch.get().recorded()).hasSize(5);
        }
    }

    /// What happens to a row that is written.
    private void trigger(String table, String when, String body) {
        test.database().run("create function trouble() returns trigger language plpgsql as $$ begin " + body
                + " return new; end $$; create constraint trigger trouble after insert or update on " + table
                + " deferrable initially " + when + " for each row execute function trouble()");
    }

    @Test
    void batchThatLostADeadlockIsWrittenAgainWhole() {
        test.database().run("create sequence tries");
        trigger("entry", "immediate",
                "if nextval('tries') < 3 then raise exception 'again' using errcode = '40P01'; end if;");

        Told told = together(List.of(claim(cases.key()), claim(cases.key())), List.of());

        assertThat(told.won()).hasSize(2);
    }

    @Test
    void claimThatWaitsForAnothersTransactionHoldsUpNobodyElse() throws Exception {
        LedgerCases.Key locked = cases.key();
        LedgerCases.Key free = cases.key();
        long recorded = claimed(free);
        try (Connection connection = test.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(insertOf(locked));

            List<Future<String>> results = inOneBatch(List.of(
                    () -> group.claim(claim(locked), _ -> Optional.empty()).isPresent() ? "won" : "alone",
                    () -> group.record(
                            record(free, recorded),
                            _ -> applied(test.ledger().settle(free.id(), recorded, cases.record(201)))).isPresent()
                                    ? "recorded"
                                    : "lost"));

            assertThat(results.get(1).get()).isEqualTo("recorded");
            assertThat(results.get(0).get()).isEqualTo("alone");
            connection.rollback();
        }
    }

    /// Its plain statement does not wait in the lane either.
    @Test
    void loneClaimThatWaitsForAnothersTransactionHoldsUpNobodyElse() throws Exception {
        LedgerCases.Key locked = cases.key();
        LedgerCases.Key free = cases.key();
        long recorded = claimed(free);
        String insert = insertOf(locked) + " on conflict do nothing";
        try (Connection connection = test.database().connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(insertOf(locked));
            List<Database> tried = Collections.synchronizedList(new ArrayList<>());
            Future<Optional<Found>> waits = callers.submit(() -> group.claim(claim(locked), connections -> {
                tried.add(connections);
                return connections.write("claim", handle -> {
                    handle.execute(insert);
                    return Optional.empty();
                });
            }));
            await().atMost(PATIENCE).until(() -> !tried.isEmpty());

            Optional<Found> now = group.record(
                    record(free, recorded),
                    _ -> applied(test.ledger().settle(free.id(), recorded, cases.record(201))));

            assertThat(now).isPresent();
            connection.rollback();
            assertThat(waits.get()).isEmpty();
            assertThat(tried).containsExactly(lanes, pool);
        }
    }

    private static Optional<Found> applied(Settled settled) {
        return settled instanceof Settled.Applied applied
                ? Optional.of(applied.now())
                : Optional.empty();
    }

    private static String insertOf(LedgerCases.Key key) {
        return "insert into entry (entry_id, client, idempotency_key, route, method, target, fingerprint, sent_as, state,"
                + " attempt, lease_until) values ('" + key.id()
                + "', 'c', 'k', 'r', 'POST', '/', '\\x01', '\\x01', 0, 1,"
                + " now())";
    }

    // 4. What is refused

    @Test
    void whatTheServerRefusesFailsAlone() throws Exception {
        test.database().run("alter table entry add constraint no_bad_target check (target <> '/bad')");
        List<Supplier<String>> writes = new ArrayList<>();
        List<LedgerCases.Key> keys = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            LedgerCases.Key key = cases.key();
            keys.add(key);
            Claim good = claim(key);
            Claim claim = i == 13 ? withTarget(good, "/bad") : good;
            writes.add(() -> group.claim(claim, _ -> test.ledger().claim(claim) instanceof Claimed.Won won
                    ? Optional.of(new Found(won.entry(), null, won.entry().claimedAt()))
                    : Optional.empty()).isPresent() ? "won" : "lost");
        }

        List<Future<String>> results = inOneBatch(writes);

        for (int i = 0; i < 20; i++) {
            if (i == 13) {
                Future<String> bad = results.get(i);
                assertThatThrownBy(bad::get).cause().isInstanceOf(DataRefused.class);
                assertThat(test.ledger().find(keys.get(i).id())).isNull();
            } else {
                assertThat(results.get(i).get()).isEqualTo("won");
                assertThat(stateOf(keys.get(i))).isEqualTo(State.CLAIMED);
            }
        }
    }

    private static Claim withTarget(Claim claim, String target) {
        Ask ask = claim.ask();
        return new Claim(
                new Ask(
                        ask.id(), ask.client(), ask.key(), ask.route(), ask.fingerprint(), ask.digest(), ask.method(),
                        target),
                claim.attempt(), claim.grounds());
    }

    /// Whoever it is, such as a trigger of the operator's.
    @ParameterizedTest
    @ValueSource(strings = {"P0001", "42501", "53400"})
    void claimThatTheServerFailsFailsAlone(String state) throws Exception {
        LedgerCases.Key bad = cases.key();
        trigger("entry", "immediate", "if new.entry_id = '" + bad.id() + "' then raise exception 'no' using errcode = '"
                + state + "'; end if;");
        List<LedgerCases.Key> keys = keysBackwards(19);
        keys.add(13, bad);

        List<Future<Boolean>> results = inOneBatch(keys.stream().<Supplier<Boolean>>map(key -> {
            Claim claim = claim(key);
            return () -> group.claim(claim, connections -> claimedBy(connections, claim)).isPresent();
        }).toList());

        assertOnlyOneFailed(results, keys, bad);
    }

    @Test
    void recordThatTheServerFailsFailsAlone() throws Exception {
        List<LedgerCases.Key> keys = keysBackwards(20);
        LedgerCases.Key bad = keys.get(13);
        List<Supplier<Boolean>> writes = new ArrayList<>();
        for (LedgerCases.Key key : keys) {
            Recording recording = record(key, claimed(key));
            writes.add(() -> group.record(recording, connections -> recordedBy(connections, recording)).isPresent());
        }
        trigger("response", "immediate", "if new.entry_id = '" + bad.id() + "' then raise exception 'no'; end if;");

        assertOnlyOneFailed(inOneBatch(writes), keys, bad);
    }

    private void assertOnlyOneFailed(List<Future<Boolean>> results, List<LedgerCases.Key> keys, LedgerCases.Key bad)
            throws Exception {
        for (int i = 0; i < keys.size(); i++) {
            Future<Boolean> result = results.get(i);
            if (keys.get(i).equals(bad)) {
                assertThatThrownBy(result::get).cause().isInstanceOfSatisfying(
                        LedgerUnavailable.class, e -> assertThat(e.commitUnknown()).isFalse());
            } else {
                assertThat(result.get()).isTrue();
            }
        }
    }

    /// As the batch of one.
    private static Optional<Found> claimedBy(Database connections, Claim claim) {
        return ofOne(connections, List.of(claim), List.of()).won().isEmpty()
                ? Optional.empty()
                : claim.applyTo(null, TestLedger.CLOCKS.now()).map(entry -> new Found(entry, null, entry.claimedAt()));
    }

    private static Optional<Found> recordedBy(Database connections, Recording recording) {
        Told told = ofOne(connections, List.of(), List.of(recording));
        return told.recorded().values().stream().findFirst().map(entry -> new Found(entry, null, told.now()));
    }

    private static Told ofOne(Database connections, List<Claim> claims, List<Recording> records) {
        BatchStatement statement = new BatchStatement(new Rows(PLAIN), false);
        return connections.write("write one", handle -> statement.run(
                handle, claims.stream().map(it -> new FirstClaim(it, it.ask().target())).toList(), records));
    }

    /// Where the whole server is in trouble, the lane would search in vain.
    @Test
    void searchForWhatIsRefusedIsBounded() throws Exception {
        test.database().run("create sequence tries");
        trigger("entry", "immediate", "perform nextval('tries'); perform pg_sleep(0.3);"
                + " raise exception 'no space left' using errcode = '53100';");
        List<Supplier<Boolean>> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Claim claim = claim(cases.key());
            writes.add(() -> group.claim(claim, connections -> {
                assertThat(connections).isSameAs(pool);
                return Optional.empty();
            }).isPresent());
        }

        for (Future<Boolean> result : inOneBatch(writes)) {
            assertThat(result.get()).as("in a batch").isFalse();
        }

        assertThat(tries()).isOne();
    }

    /// Who waits for the other half has waited long enough: a second silence would be as long as the first.
    @Test
    void afterAHalfThatMayBeDoneTheOtherIsNotSent() throws Exception {
        test.database().run("create sequence tries");
        trigger("entry", "immediate", "if nextval('tries') = 1 then raise exception 'no'; end if;"
                + " raise exception 'who knows' using errcode = '58030';");
        List<Supplier<Boolean>> writes = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Claim claim = claim(cases.key());
            writes.add(() -> group.claim(claim, GroupCommitIT::notAlone).isPresent());
        }

        List<Boolean> unknown = new ArrayList<>();
        for (Future<Boolean> result : inOneBatch(writes)) {
            assertThatThrownBy(result::get).cause().isInstanceOfSatisfying(
                    LedgerUnavailable.class, e -> unknown.add(e.commitUnknown()));
        }

        assertThat(unknown).filteredOn(it -> it).hasSize(10);
        assertThat(unknown).filteredOn(it -> !it).hasSize(10);
        assertThat(tries()).isEqualTo(2);
    }

    private static long tries() throws SQLException {
        try (Connection connection = test.database().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select nextval('tries')")) {
            row.next();
            return row.getLong(1) - 1;
        }
    }

    @Test
    void recordWhoseEntryCannotBeReadFailsAlone() throws Exception {
        LedgerCases.Key bad = cases.key();
        LedgerCases.Key good = cases.key();
        Recording ofBad = record(bad, claimed(bad));
        Recording ofGood = record(good, claimed(good));
        test.database().run("update entry set fingerprint = '\\x01' where entry_id = '" + bad.id() + "'");

        List<Future<Optional<Found>>> results = inOneBatch(List.of(
                () -> group.record(ofBad, GroupCommitIT::notAlone),
                () -> group.record(ofGood, GroupCommitIT::notAlone)));

        assertThat(results.get(1).get()).isPresent();
        assertThat(results.get(0).get()).as("who looks is told why").isEmpty();
        assertThatThrownBy(() -> found(bad)).isInstanceOf(IllegalArgumentException.class);
        test.database().run("update entry set fingerprint = '" + "\\x01" + "00".repeat(32) + "' where entry_id = '"
                + bad.id() + "'");
        assertThat(stateOf(bad)).isEqualTo(State.RECORDED);
    }

    /// As above of a batch that is not understood at all.
    @Test
    void loneWriteThatBreaksIsUnknown() {
        assertThatThrownBy(() -> group.claim(claim(cases.key()), _ -> {
            throw new IllegalStateException("a fault of ours");
        })).isInstanceOfSatisfying(LedgerUnavailable.class, e -> assertThat(e.commitUnknown()).isTrue());
    }

    // 5. Unknown commits

    @Test
    void unknownCommitIsUnknownToAllOfTheBatch() throws Exception {
        trigger("entry", "deferred", "raise exception 'who knows' using errcode = '40003';");

        assertUnknownToAllOfABatch();
    }

    /// What may have been done is not done again, whatever the server calls it.
    @ParameterizedTest
    @ValueSource(strings = {"XX000", "58030"})
    void troubleOfTheServersOwnIsUnknownToAllOfTheBatch(String state) throws Exception {
        trigger("entry", "deferred", "raise exception 'who knows' using errcode = '" + state + "';");

        assertUnknownToAllOfABatch();
    }

    @Test
    void warningAtTheCommitOfABatchIsNoSuccess() throws Exception {
        trigger("entry", "deferred", "raise warning 'canceling wait for synchronous replication';");

        assertUnknownToAllOfABatch();
    }

    private void assertUnknownToAllOfABatch() throws Exception {
        List<Future<Optional<Found>>> results = inOneBatch(List.of(
                () -> group.claim(claim(cases.key()), GroupCommitIT::notAlone),
                () -> group.claim(claim(cases.key()), GroupCommitIT::notAlone)));

        for (Future<Optional<Found>> result : results) {
            assertThatThrownBy(result::get).cause().isInstanceOfSatisfying(
                    LedgerUnavailable.class, e -> assertThat(e.commitUnknown()).isTrue());
        }
    }

    // 6. Bytes (how they are counted up: GatheringTest)

    @Test
    void batchIsBoundedInWhatItSends() throws Exception {
        SIZES.clear();
        List<Supplier<Boolean>> writes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Claim large = withTarget(claim(cases.key()), "/" + "x".repeat(8_000));
            writes.add(() -> group.claim(large, GroupCommitIT::notAlone).isPresent());
        }

        for (Future<Boolean> won : inOneBatch(writes)) {
            assertThat(won.get()).isTrue();
        }

        assertThat(SIZES).containsExactly(1, 130, 70);
    }

    @Test
    void recordWeighsWhatItSends() {
        Headers large = new Headers(List.of(new Header("X", "y".repeat(60_000))));
        Recording recording = new Recording(
                cases.key().id(), 1, 201, large, null, PLAIN.response(cases.key().id(), 1, large, null), false, true,
                LedgerCases.BRIEF);
        assertThat(recording.weight()).isGreaterThan(60_000);
    }

    // 7. Lanes: LanesTest

    // 8. Plans

    @Test
    void earlyPlanNeverScansATable() throws Exception {
        test.database().run("truncate entry, response");
        together(List.of(claim(cases.key()), claim(cases.key())), List.of());
        test.database().run("analyze entry; analyze response");
        assertThat(planOn(test.database(), "set plan_cache_mode = force_generic_plan"))
                .as("what the session's settings are for").anyMatch(line -> line.contains("Seq Scan on entry"));

        List<String> plan = planOn(test.database(), BatchSql.SESSION.forSession());

        assertThat(plan).isNotEmpty().noneMatch(line -> line.contains("Seq Scan on entry"))
                .noneMatch(line -> line.contains("Seq Scan on response"))
                .noneMatch(line -> line.contains("Hash Join") || line.contains("Merge Join"));
        assertThat(plan).anyMatch(line -> line.contains("Index Scan using entry_pkey"));
    }

    /// Of the batch's statement, made while the table is tiny.
    private static List<String> planOn(TestPostgres database, String session) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(session);
            statement.execute("prepare batch as " + positional(BatchSql.WRITE));
            String nothing = "null, ".repeat(parameters(BatchSql.WRITE).size());
            List<String> plan = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(
                    "explain execute batch (" + nothing.substring(0, nothing.length() - 2) + ")")) {
                while (rows.next()) {
                    plan.add(rows.getString(1));
                }
            }
            return plan;
        }
    }

    private static List<String> parameters(String sql) {
        return Pattern.compile("(?<!:):([a-zA-Z]+)").matcher(sql).results()
                .map(match -> match.group(1)).distinct().toList();
    }

    private static String positional(String sql) {
        String text = sql;
        List<String> names = parameters(sql);
        for (int i = 0; i < names.size(); i++) {
            text = text.replaceAll("(?<!:):" + names.get(i) + "\\b", "\\$" + (i + 1));
        }
        return text;
    }

    @Test
    void recordOfABatchIsToldWithItsResponse() {
        LedgerCases.Key key = cases.key();
        long attempt = claimed(key);
        Transition transition = cases.record(201, LedgerCases.BRIEF);
        Recording recording = Recording.in(key.id(), attempt, transition, PLAIN).orElseThrow();

        Optional<Found> told =
                new GroupCommit(lanes, pool, Lanes.one(1), PLAIN, false, 1, BatchWatch.NONE,
                        TestLedger.CLOCKS)
                        .record(recording, GroupCommitIT::notAlone);

        Found found = test.ledger().find(key.id());
        assertThat(told).get().usingRecursiveComparison().ignoringFields("now").isEqualTo(found);
    }
}

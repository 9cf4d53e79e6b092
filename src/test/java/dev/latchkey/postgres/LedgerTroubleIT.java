package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.Ledger.Claimed;
import dev.latchkey.gateway.Ledger.Settled;
import dev.latchkey.gateway.LedgerCases;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.testing.Calm;
import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.Neighbour;
import dev.latchkey.testing.TestPostgres;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Handler;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What goes wrong between the gateway and its ledger, and what is said of it.
@Calm
class LedgerTroubleIT {

    private final LedgerCases cases = new LedgerCases();
    private final LedgerCases.Key key = cases.key();
    private TestLedger test = TestLedger.open();

    @BeforeEach
    void ready() {
        assertThat(test.ledger().health().reachable()).isTrue();
    }

    @AfterEach
    void close() {
        test.close();
    }

    private Claimed claim() {
        return claim(test.ledger());
    }

    private Claimed claim(Ledger ledger) {
        return ledger.claim(new Claim(key.ask(), 7, new Grounds.NoEntry()));
    }

    private LedgerUnavailable refusal(Ledger ledger) {
        LedgerUnavailable refusal = catchThrowableOfType(LedgerUnavailable.class, () -> claim(ledger));
        assertThat(refusal).isNotNull();
        return refusal;
    }

    private void trigger(String table, String when, String body) {
        test.database().run("create function trouble() returns trigger language plpgsql as $$ begin " + body
                + " return new; end $$; create constraint trigger trouble after insert or update on " + table
                + " deferrable initially " + when + " for each row execute function trouble()");
    }

    // Away

    @Test
    void refusedLedgerSaysSoWithinTwoSecondsAndThatNothingWasCommitted() throws IOException {
        PostgresSettings settings = elsewhere(Neighbour.freePort());
        try (PostgresLedger ledger = PostgresLedger.open(settings, TestLedger.CLOCKS)) {
            long start = System.nanoTime();
            LedgerUnavailable refusal = refusal(ledger);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            assertThat(refusal.commitUnknown()).isFalse();
            assertThat(ledger.health().reachable()).isFalse();
            assertThat(ledger.health().schemaFits()).isTrue();
        }
    }

    /// Nobody waits first for others and then for a connection of his own, which there is none of.
    @ParameterizedTest
    @ValueSource(ints = {8, 64})
    void ledgerThatIsLostSaysSoToManyWithinTwoSeconds(int many) throws Exception {
        List<Duration> waits = new CopyOnWriteArrayList<>();
        try (CuttingProxy proxy = CuttingProxy.to(test.database().port());
                PostgresLedger ledger = PostgresLedger.open(
                        TestLedger.settings(through(proxy), test.database(), true), TestLedger.CLOCKS);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThat(ledger.claim(new Claim(key.ask(), 7, new Grounds.NoEntry()))).isInstanceOf(Claimed.Won.class);
            proxy.refuse();
            for (int i = 0; i < many; i++) {
                callers.execute(() -> {
                    for (int call = 0; call < 3; call++) {
                        long start = System.nanoTime();
                        assertThatThrownBy(
                                () -> ledger.claim(new Claim(cases.key().ask(), 7, new Grounds.NoEntry())))
                                .isInstanceOf(LedgerUnavailable.class);
                        waits.add(Duration.ofNanos(System.nanoTime() - start));
                    }
                });
            }
        }
        assertThat(waits).hasSize(3 * many).allSatisfy(wait -> assertThat(wait).isLessThan(Duration.ofSeconds(2)));
    }

    private String through(CuttingProxy proxy) {
        TestPostgres database = test.database();
        return database.url().replace(":" + database.port() + "/", ":" + proxy.port() + "/");
    }

    @Test
    void silentLedgerSaysSoWithinTenSeconds() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                PostgresLedger ledger = PostgresLedger.open(elsewhere(silent.getLocalPort()), TestLedger.CLOCKS)) {
            long start = System.nanoTime();
            LedgerUnavailable refusal = refusal(ledger);

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
            assertThat(refusal.commitUnknown()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sslmode=nonsense", "prepareThreshold=nonsense", "sslmode=require"})
    void whatTheDriverRefusesIsNotCalledSilence(String option) {
        PostgresSettings settings = TestLedger.settings(
                test.database().url() + (test.database().url().contains("?") ? "&" : "?") + option, test.database(),
                true);

        assertThatThrownBy(() -> PostgresLedger.open(settings, TestLedger.CLOCKS)).isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("ledger.url cannot be used as it is: ")
                .hasMessageContaining(option.equals("sslmode=require") ? "SSL" : "nonsense");
    }

    /// And nobody says it, for it may hold a password.
    @ParameterizedTest
    @ValueSource(strings = {"//db:54x2/x?password=canary", "//db?password=canary", "//db/x?password=canary%"})
    void urlThatTheDriverCannotReadIsNotCalledSilence(String url) {
        PostgresSettings settings = TestLedger.settings("jdbc:postgresql:" + url, test.database(), true);
        Logger all = Logger.getLogger("");
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Handler listening = new StreamHandler(said, new SimpleFormatter());
        all.addHandler(listening);
        try {
            assertThatThrownBy(() -> PostgresLedger.open(settings, TestLedger.CLOCKS)).isInstanceOf(LedgerUnfit.class)
                    .hasMessageContaining("ledger.url is not one that the driver reads")
                    .satisfies(thrown -> assertThat(stackTrace(thrown)).doesNotContain("canary"));
        } finally {
            listening.flush();
            all.removeHandler(listening);
        }
        assertThat(said.toString(StandardCharsets.UTF_8)).doesNotContain("canary");
    }

    private static String stackTrace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /// The driver says of itself that it cannot connect, and tomorrow it can: as where each host is a standby today.
    @Test
    void serverOfAnotherKindThanAskedForIsWaitedFor() {
        PostgresSettings settings = TestLedger.settings(
                test.database().url() + "?targetServerType=secondary",
                test.database(), true);

        try (PostgresLedger ledger = PostgresLedger.open(settings, TestLedger.CLOCKS)) {
            assertThat(ledger.health().schemaFits()).isTrue();
            assertThatThrownBy(() -> claim(ledger)).isInstanceOf(LedgerUnavailable.class);
        }
    }

    /// Each connection is in use, and the ledger answers on them.
    @Test
    void busyLedgerIsNotCalledLost() throws Exception {
        PostgresSettings few = TestLedger.settings(test.database());
        try (PostgresLedger ledger = PostgresLedger.open(
                new PostgresSettings(
                        few.url(), few.user(), few.password(), 1, PostgresSettings.Writer.PLAIN, few.durability(), true,
                        few.encryption()),
                TestLedger.CLOCKS)) {
            trigger("entry", "immediate", "perform pg_sleep(0.5);");
            List<CompletableFuture<Claimed>> calls = Stream.generate(cases::key).limit(8)
                    .map(each -> new Claim(each.ask(), cases.attempt(), new Grounds.NoEntry()))
                    .map(each -> CompletableFuture.supplyAsync(() -> ledger.claim(each), Thread::startVirtualThread))
                    .toList();
            await().until(() -> calls.stream().allMatch(CompletableFuture::isDone));
            assertThat(calls).filteredOn(CompletableFuture::isCompletedExceptionally).isNotEmpty().allSatisfy(
                    call -> assertThat(call.exceptionNow()).isInstanceOf(LedgerUnavailable.class)
                            .hasMessageContaining("busy"));
            assertThat(ledger.health().problem()).isNull();
        }
    }

    @Test
    void silentHostThatStandsFirstIsPassedOver() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String both = test.database().url().replace("//", "//127.0.0.1:" + silent.getLocalPort() + ",");
            long start = System.nanoTime();
            try (PostgresLedger ledger = PostgresLedger.open(
                    TestLedger.settings(both, test.database(), true), TestLedger.CLOCKS)) {
                assertThat(claim(ledger)).isInstanceOf(Claimed.Won.class);
                // Sooner than the silent one is given up.
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
            }
        }
    }

    private PostgresSettings elsewhere(int port) {
        return TestLedger.settings("jdbc:postgresql://127.0.0.1:" + port + "/ledger", test.database(), true);
    }

    @Test
    void healthDoesNotWaitForALedgerThatIsAway() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                PostgresLedger ledger = PostgresLedger.open(elsewhere(silent.getLocalPort()), TestLedger.CLOCKS)) {
            long start = System.nanoTime();
            Ledger.Health health = ledger.health();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
            assertThat(health.reachable()).isFalse();
        }
    }

    @Test
    void cutConnectionsAreReplacedAndReadsDoNotNotice() {
        claim();
        cutSessions();

        assertThat(test.ledger().find(key.id())).isNotNull();
        await().atMost(Duration.ofSeconds(10)).ignoreExceptions()
                .until(() -> test.ledger().confirm(key.id(), 7, State.CLAIMED));
    }

    private void cutSessions() {
        test.database().run("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
                + " and application_name = 'latchkey'");
    }

    @Test
    void g7WriteOnACutConnectionMayHaveBeenCommitted() {
        trigger("entry", "deferred",
                "perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1);");

        assertThat(refusal(test.ledger()).commitUnknown()).isTrue();
    }

    @Test
    void silenceAfterSendingMayHaveBeenCommitted() {
        String patient = test.database().url() + "?socketTimeout=3";
        trigger("entry", "deferred", "perform pg_sleep(6);");
        try (PostgresLedger ledger = PostgresLedger.open(
                TestLedger.settings(patient, test.database(), true), TestLedger.CLOCKS)) {
            assertThat(refusal(ledger).commitUnknown()).isTrue();
        }
    }

    // Refused by the server

    @Test
    void waitForALockEndsInTimeAndNothingWasCommitted() throws SQLException {
        try (Connection other = test.database().connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table entry in exclusive mode");

            LedgerUnavailable refusal = refusal(test.ledger());

            assertThat(refusal.commitUnknown()).isFalse();
            assertThat(refusal).hasMessageContaining("55P03");
        }
        assertThat(claim()).isInstanceOf(Claimed.Won.class);
    }

    @Test
    void warningAtTheCommitIsNoSuccess() {
        trigger("entry", "deferred", "raise warning 'canceling wait for synchronous replication';");

        assertThat(refusal(test.ledger()).commitUnknown()).isTrue();
    }

    @Test
    void noticeIsNoWarning() {
        trigger("entry", "deferred", "raise notice 'nothing of note';");

        assertThat(claim()).isInstanceOf(Claimed.Won.class);
    }

    @Test
    void serializationFailureIsTriedAgain() {
        test.database().run("create sequence tries");
        trigger("entry", "immediate",
                "if nextval('tries') < 3 then raise exception 'again' using errcode = '40001'; end if;");

        assertThat(claim()).isInstanceOf(Claimed.Won.class);
    }

    @Test
    void serializationFailureForEverIsGivenUp() {
        trigger("entry", "deferred", "raise exception 'again' using errcode = '40P01';");

        assertThat(refusal(test.ledger()).commitUnknown()).isFalse();
    }

    @Test
    void unknownCompletionMayHaveBeenCommitted() {
        trigger("entry", "deferred", "raise exception 'who knows' using errcode = '40003';");

        assertThat(refusal(test.ledger()).commitUnknown()).isTrue();
    }

    @Test
    void messagesHoldNoKeyAndNoBody() {
        test.database().run("alter table entry add check (idempotency_key = 'another')");

        assertThatThrownBy(this::claim)
                .satisfies(thrown -> assertThat(all(thrown)).doesNotContain(key.key().text()));
    }

    private static String all(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable t = thrown; t != null; t = t.getCause()) {
            text.append(t).append('\n');
        }
        return text.toString();
    }

    @Test
    void refusedResponseIsRecordedWithoutIt() {
        test.database().run("alter table response add check (length(body) < 5)");
        claim();

        Settled settled = test.ledger().settle(key.id(), 7, cases.record(201));

        assertThat(settled).isInstanceOf(Settled.Applied.class);
        Found found = Objects.requireNonNull(test.ledger().find(key.id()));
        assertThat(found.entry().state()).isEqualTo(State.RECORDED);
        assertThat(found.entry().status()).isEqualTo(201);
        assertThat(found.response()).satisfies(it -> assertThat(it.replayable(found.now())).isFalse());
    }

    @Test
    void refusedRecordEndsInDoubt() {
        test.database().run("alter table entry add check (state <> 1)");
        claim();

        Settled settled = test.ledger().settle(key.id(), 7, cases.record(201));

        assertThat(settled).isInstanceOfSatisfying(Settled.Applied.class, applied -> {
            assertThat(applied.now().entry().state()).isEqualTo(State.IN_DOUBT);
            assertThat(applied.now().entry().cause()).isEqualTo(Cause.UNRECORDABLE);
        });
    }

    @Test
    void refusedDoubtKeepsNoResponse() {
        test.database().run("alter table entry_event add check (body is null)");
        claim();

        Settled settled = test.ledger().settle(key.id(), 7, cases.doubt(500));

        assertThat(settled).isInstanceOf(Settled.Applied.class);
    }

    // The server's promises

    @Test
    void g12ReplicatedWithoutAStandbyIsRefused() {
        PostgresSettings settings = new PostgresSettings(
                test.database().url(), test.database().user(), test.database()::password, 2,
                PostgresSettings.Writer.BATCHED,
                PostgresSettings.Durability.REPLICATED, true, PostgresSettings.Encryption.NONE);

        assertThatThrownBy(() -> PostgresLedger.open(settings, TestLedger.CLOCKS))
                .isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("synchronous_standby_names");
    }

    @Test
    void wrongPasswordIsSaidClearly() {
        PostgresSettings settings = new PostgresSettings(
                test.database().url(), test.database().user(), () -> "wrong", 2, PostgresSettings.Writer.BATCHED,
                PostgresSettings.Durability.LOCAL,
                true, PostgresSettings.Encryption.NONE);

        assertThatThrownBy(() -> PostgresLedger.open(settings, TestLedger.CLOCKS))
                .isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("ledger.password")
                .hasMessageNotContaining("wrong");
    }

    @Test
    void missingDatabaseIsSaidClearly() {
        PostgresSettings settings = TestLedger.settings(test.database().url() + "x", test.database(), true);

        assertThatThrownBy(() -> PostgresLedger.open(settings, TestLedger.CLOCKS))
                .isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("ledger.url");
    }

    // Erased

    @Test
    void g15ErasedEntryIsNotPutBack() {
        claim();
        Found claimed = Objects.requireNonNull(test.ledger().find(key.id()));
        test.database().run("delete from entry; insert into entry_event (entry_id, kind, attempt) values ('" + key.id()
                + "', 'erased', 7)");

        assertThat(test.ledger().putBack(claimed.entry(), cases.record(201))).isFalse();
    }

    @Test
    void g15LateSuccessOfAnErasedEntryKeepsNoResponse() {
        claim();
        test.ledger().settle(key.id(), 7, new Transition.Release(Cause.NOT_SENT));
        test.database().run("update entry set erased = true, idempotency_key = '', target = ''");

        Settled settled = test.ledger().settle(key.id(), 7, cases.record(201));

        assertThat(settled).isInstanceOfSatisfying(
                Settled.Applied.class, applied -> assertThat(applied.now().response()).isNull());
        assertThat(test.ledger().find(key.id())).satisfies(it -> assertThat(it.response()).isNull());
    }
}

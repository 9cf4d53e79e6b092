package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.TestPostgres;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Figures that stand at zero while all is well; [FiguresIT] has the others.
final class StrainIT {

    private static final int CALLS = 60;
    /// More than the log's queue and all behind it hold.
    private static final int LINES = 20_000;

    @TempDir
    private static Path folder;

    private static TestPostgres database;
    private static RawDownstream downstream;
    private static Replica gateway;

    @BeforeAll
    static void start() throws Exception {
        database = TestPostgres.create();
        downstream = RawDownstream.start();
        gateway = Replica.start(folder, """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { %s }
                upkeep: { every: 200ms }
                clients: [ { name: alice, token-sha256: %s } ]
                routes: [ { name: payments, prefix: /payments, downstream: { url: "%s/pay" } } ]
                """.formatted(Settings.ledger(database), ALICE.digest(), downstream.url()));
    }

    @AfterAll
    static void end() throws Exception {
        try (AutoCloseable _ = database; AutoCloseable _ = downstream; AutoCloseable _ = gateway) {
            assertThat(gateway.program().isAlive()).isTrue();
        }
    }

    private static double figure(String name) {
        return Metrics.of(gateway).sum(name);
    }

    @Test
    void claimsThatWaitForTheNextGroupCommitAreShown() throws Exception {
        assertThat(figure("latchkey_lanes_queued")).isZero();
        List<Future<Response>> calls = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
                Connection other = database.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("lock table entry in exclusive mode");
            for (int i = 0; i < CALLS; i++) {
                String key = Canary.key();
                calls.add(threads.submit(
                        () -> gateway.keyed(ALICE, key).body("{}").post("/payments/strain")));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> figure("latchkey_lanes_queued") > 0);
            other.rollback();
        }
        for (Future<Response> call : calls) {
            assertThat(call.get().statusCode()).isIn(201, 503);
        }
        await().until(() -> figure("latchkey_lanes_queued") == 0);
    }

    @Test
    void backlogOfThePurgeIsShownByItsAge() {
        database.run("""
                create function slowly() returns trigger language plpgsql as $$ begin
                  perform pg_sleep(0.002); return old;
                end $$;
                create trigger slowly before delete on response for each row execute function slowly();
                insert into response (entry_id, expires_at, headers)
                select gen_random_uuid(), now() - interval '1 hour' + i * interval '1 millisecond', '\\x'
                  from generate_series(1, 2000) i;
                """);
        await().atMost(Duration.ofSeconds(30)).until(() -> figure("latchkey_purge_lag_seconds") >= 3_590);
        database.run("drop trigger slowly on response");
        await().atMost(Duration.ofSeconds(30)).until(() -> figure("latchkey_purge_lag_seconds") == 0);
    }

    @Test
    void linesThatFindNoRoomAreCounted() throws Exception {
        assertThat(figure("latchkey_log_lines_dropped_total")).isZero();
        String lines = IntStream.range(0, LINES)
                .mapToObj(i -> "{\"method\":\"POST\",\"path\":\"/nowhere\",\"key\":\"k" + i + "\",\"body\":{}}\n")
                .collect(Collectors.joining());
        try (AutoCloseable _ = gateway.program().unread()) {
            gateway.as(ALICE).contentType("application/x-ndjson").body(lines.getBytes(StandardCharsets.UTF_8))
                    .post("/v1/batches").then()
                    .statusCode(200);
            assertThat(figure("latchkey_log_lines_dropped_total")).isPositive();
        }
    }
}

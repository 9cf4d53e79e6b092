package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Step;
import dev.latchkey.testing.TestPostgres;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// A newer program has expanded the ledger: this one goes on beside it, whether it ran before or starts afterwards.
@EndToEnd
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UpgradeIT {

    private static final String BODY = "{\"amount\":7}";

    private final World world;
    private final Replica before;
    private final String recordedBefore = Canary.key();

    UpgradeIT(World world) {
        this.world = world;
        this.before = world.gateway();
    }

    @BeforeAll
    void expand() {
        Expect.fresh(post(before, recordedBefore, "/payments/upgrade"), 201);
        TestPostgres database = world.database();
        Flyway.configure()
                .dataSource(database.url(), database.user(), database.password())
                .locations("classpath:db/migration", "classpath:db/engine", "classpath:dev/latchkey/e2e/newer")
                .loggers("slf4j")
                .load()
                .migrate();
    }

    /// Other suites have this ledger, too.
    @AfterAll
    void takeBack() {
        world.database().run("""
                drop table entry_note;
                alter table entry drop column note, drop column weight;
                alter table response drop column kind;
                alter table entry_event drop column seen;
                alter table ledger_key drop column owner;
                delete from flyway_schema_history where version = '1000'
                """);
    }

    @Test
    void olderProgramGoesOnBesideOneThatStarts() {
        try (Replica after = world.start(world.settings())) {
            Expect.replayed(post(before, recordedBefore, "/payments/upgrade"), 201);
            Expect.replayed(post(after, recordedBefore, "/payments/upgrade"), 201);
            serves(before, after);
            serves(after, before);
        }
    }

    private void serves(Replica one, Replica other) {
        String key = Canary.key();
        Expect.fresh(post(one, key, "/payments/upgrade"), 201);
        Expect.replayed(post(other, key, "/payments/upgrade"), 201);
        Expect.refused(other.keyed(ALICE, key).body("{}").post("/payments/upgrade"), 422, "key-reused");
        settles(one, other);
        purges(one);
        keepsBooks(one);
    }

    private void settles(Replica one, Replica other) {
        String key = Canary.key();
        world.downstream().at("/quick/upgrade", Step.json(503, "{}"));
        Expect.passed(post(one, key, "/quick/upgrade"), 503, "in-doubt");
        Response verdict = one.management().contentType("application/json").body(Map.of(
                "verdict", "executed", "reason", "the bank has it",
                "response", Map.of("status", 201, "headers", List.of(), "body", "{}")))
                .post("/operator/entries/" + entry(one, key) + "/verdict");
        assertThat(verdict.statusCode()).as(verdict.asString()).isEqualTo(200);
        Expect.replayed(post(other, key, "/quick/upgrade"), 201);
    }

    /// A response past its retention, and a rejection with its key.
    private void purges(Replica one) {
        String gone = Canary.key();
        String rejected = Canary.key();
        Expect.fresh(post(one, gone, "/brief/upgrade"), 201);
        world.downstream().at("/brief/upgrade/rejected", Step.json(422, "{}"));
        Expect.fresh(post(one, rejected, "/brief/upgrade/rejected"), 422);
        await().until(() -> post(one, gone, "/brief/upgrade").statusCode() == 410);
        await().until(() -> post(one, rejected, "/brief/upgrade/rejected").statusCode() == 201);
    }

    private static void keepsBooks(Replica one) {
        String key = Canary.key();
        Response claimed = one.keyed(ALICE, key).body("{\"effect\":1}").post("/v1/claims");
        assertThat(claimed.statusCode()).as(claimed.asString()).isEqualTo(201);
        assertThat(one.management().get("/operator/entries/" + entry(one, key)).statusCode()).isEqualTo(200);
    }

    private static Response post(Replica replica, String key, String path) {
        return replica.keyed(ALICE, key).body(BODY).post(path);
    }

    private static String entry(Replica replica, String key) {
        return replica.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("entry_id");
    }
}

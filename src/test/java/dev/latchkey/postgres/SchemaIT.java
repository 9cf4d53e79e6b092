package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.testing.TestPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The schema is made, or what is wrong with it is said.
class SchemaIT {

    private final TestPostgres database = TestPostgres.create();

    @AfterEach
    void close() {
        database.close();
    }

    private void open(boolean migrate) {
        PostgresLedger.open(TestLedger.settings(database.url(), database, migrate), TestLedger.CLOCKS).close();
    }

    @Test
    void replicasThatStartAtOnceAllStart() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> starts = Stream.of(1, 2, 3).<Future<?>>map(i -> threads.submit(() -> open(true))).toList();
            for (Future<?> start : starts) {
                start.get();
            }
        }

        open(false);
    }

    @Test
    void migrateCommandMakesTheSchema() {
        PostgresLedger.migrate(TestLedger.settings(database.url(), database, false), TestLedger.CLOCKS);

        open(false);
    }

    @Test
    void migratingAgainChangesNothing() {
        open(true);
        open(true);
    }

    @Test
    void missingSchemaIsSaid() {
        assertThatThrownBy(() -> open(false)).isInstanceOf(LedgerUnfit.class).hasMessageContaining("latchkey migrate");
    }

    @Test
    void newerSchemaIsSaidAndLeftAlone() {
        open(true);
        noteLater(98, "98", "expand notes");
        noteLater(99, "99", "contract notes");

        assertThatThrownBy(() -> open(false)).isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("at version 99, newer than this");
        assertThatThrownBy(() -> open(true)).isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("at version 99, newer than this");
    }

    /// Only a start looks at the schema: who contracts it first ends the replicas that run.
    @Test
    void replicaThatRunsDoesNotNoticeAContraction() {
        try (PostgresLedger running =
                PostgresLedger.open(TestLedger.settings(database.url(), database, true), TestLedger.CLOCKS)) {
            noteLater(99, "99", "contract notes");

            assertThat(running.find(EntryId.of("client", IdempotencyKey.of("key")))).isNull();
            assertThat(running.health().problem()).isNull();
        }
    }

    @Test
    void newerSchemaThatWasOnlyAddedToServes() throws SQLException {
        open(true);
        noteLater(98, "98", "expand notes");
        noteLater(99, "99", "expand more notes");
        // Its options have changed, too.
        database.run("update flyway_schema_history set checksum = 7 where version is null");

        open(false);
        open(true);

        assertThat(history()).hasSize(QuickLook.MIGRATIONS.size() + 2).endsWith("expand notes", "expand more notes");
    }

    @Test
    void additionsExcuseNothingElse() {
        open(true);
        noteLater(99, "99", "expand notes");
        database.run("update flyway_schema_history set checksum = 7 where version = '1'");

        assertThatThrownBy(() -> open(false)).isInstanceOf(LedgerUnfit.class).hasMessageContaining("is not the one");
        assertThatThrownBy(() -> open(true)).isInstanceOf(LedgerUnfit.class).hasMessageContaining("is not the one");
    }

    /// As if a newer program had migrated.
    private void noteLater(int rank, String version, String description) {
        database.run("insert into flyway_schema_history (installed_rank, version, description, type, script, checksum,"
                + " installed_by, execution_time, success) values (" + rank + ", '" + version + "', '" + description
                + "', 'SQL', 'V" + version + "__" + description.replace(' ', '_') + ".sql', 1, 'x', 1, true)");
    }

    private List<String> history() throws SQLException {
        List<String> descriptions = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select description from flyway_schema_history order by installed_rank")) {
            while (row.next()) {
                descriptions.add(row.getString(1));
            }
        }
        return descriptions;
    }

    @Test
    void olderSchemaIsSaid() {
        open(true);
        backToVersion1();

        assertThatThrownBy(() -> open(false)).isInstanceOf(LedgerUnfit.class).hasMessageContaining("latchkey migrate");
    }

    @Test
    void olderSchemaIsBroughtUpToDate() {
        open(true);
        backToVersion1();

        open(true);
        open(false);
    }

    private void backToVersion1() {
        database.run("""
                alter table entry drop column released_on_expiry;
                drop table ledger_key;
                delete from flyway_schema_history where version in ('2', '3')
                """);
    }

    @Test
    void changedSchemaIsSaid() {
        open(true);
        database.run("update flyway_schema_history set checksum = 7 where version = '1'");

        assertThatThrownBy(() -> open(false)).isInstanceOf(LedgerUnfit.class).hasMessageContaining("is not the one");
    }

    @Test
    void databaseOfOthersIsSaidAndLeftAlone() {
        database.run("create table invoices (id int)");

        assertThatThrownBy(() -> open(true)).isInstanceOf(LedgerUnfit.class).hasMessageContaining("other tables");
    }

    @Test
    void schemaOfItsOwnInADatabaseOfOthersWorks() {
        database.run("create table invoices (id int); create schema latchkey");

        PostgresLedger.open(
                TestLedger.settings(database.url() + "?currentSchema=latchkey", database, true), TestLedger.CLOCKS)
                .close();
    }

    @Test
    void userWithoutTheRightToMakeTablesIsTold() {
        database.run("drop role if exists reader; create role reader login password 'p';"
                + " revoke create on schema public from public");
        PostgresSettings settings = new PostgresSettings(
                database.url(), "reader", () -> "p", 1, PostgresSettings.Writer.BATCHED,
                PostgresSettings.Durability.LOCAL, true, PostgresSettings.Encryption.NONE);

        assertThatThrownBy(() -> PostgresLedger.open(settings, TestLedger.CLOCKS))
                .isInstanceOf(LedgerUnfit.class)
                .hasMessageContaining("latchkey migrate");
        database.run("drop owned by reader; drop role reader");
    }

    @Test
    void quickLookKnowsEveryMigration() throws Exception {
        List<String> files = new ArrayList<>();
        for (String folder : List.of("db/migration", "db/engine")) {
            Path place = Path.of(Objects.requireNonNull(getClass().getClassLoader().getResource(folder)).toURI());
            try (Stream<Path> found = Files.list(place)) {
                found.forEach(file -> files.add(folder + "/" + file.getFileName()));
            }
        }

        assertThat(QuickLook.MIGRATIONS).containsExactlyInAnyOrderElementsOf(files);
    }

    @Test
    void quickLookAgreesWithFlyway() throws SQLException {
        try (Connection connection = database.connect()) {
            assertThat(QuickLook.fits(connection)).isFalse();
            open(true);
            assertThat(QuickLook.fits(connection)).isTrue();
        }
    }
}

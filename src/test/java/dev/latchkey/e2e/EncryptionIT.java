package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Step;
import dev.latchkey.testing.TestPostgres;
import io.restassured.response.Response;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// A ledger encrypted at rest, seen from outside: what a dump of it holds, and what replicas with other keys answer.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EndToEnd
final class EncryptionIT {

    private static final String SECRET = "canary-of-the-response";
    private static final String QUERY = "canary-of-the-query";
    private static final String OLD = key("k1", 1);
    private static final String NEW = key("k2", 2);

    private final World world;
    private final TestPostgres database = TestPostgres.create();
    /// Started before there were keys.
    private final Replica keyless;
    private final Replica first;

    EncryptionIT(World world) {
        this.world = world;
        this.keyless = start("batched", "");
        this.first = start("batched", OLD);
    }

    @BeforeAll
    void downstreamAnswersWithSecrets() {
        for (String path : List.of("/pay/sealed", "/pay/sealed/plain", "/dedup/sealed")) {
            world.downstream().always(path, Step.json(201, "{\"id\":\"" + SECRET + "\"}")
                    .header("Location", "/" + SECRET));
        }
    }

    @AfterAll
    void close() {
        keyless.close();
        first.close();
        database.close();
    }

    private static String key(String id, int each) {
        byte[] key = new byte[32];
        Arrays.fill(key, (byte) each);
        return "{ id: " + id + ", key: \"" + Base64.getEncoder().encodeToString(key) + "\" }";
    }

    private String settings(String writer, String keys) {
        String encryption = keys.isEmpty() ? "" : ", encryption: { keys: [" + keys + "] }";
        return Settings.of(
                Settings.ledger(database) + ", writer: " + writer + encryption, world.downstream().url(),
                world.flaky().url());
    }

    private Replica start(String writer, String keys) {
        return world.start(settings(writer, keys));
    }

    private static Response post(Replica replica, String key, String path) {
        return replica.keyed(ALICE, key).body("{\"pin\":1234}").post(path + "?token=" + QUERY);
    }

    /// Every value of every table, as text and as the bytes of a bytea.
    private String dump() throws SQLException {
        StringBuilder dump = new StringBuilder();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String table : tables(statement)) {
                try (ResultSet row = statement.executeQuery("select * from " + table)) {
                    while (row.next()) {
                        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                            Object value = row.getObject(i);
                            dump.append(value instanceof byte[] bytes
                                    ? new String(bytes, StandardCharsets.ISO_8859_1)
                                    : String.valueOf(value)).append('\n');
                        }
                    }
                }
            }
        }
        return dump.toString();
    }

    private static List<String> tables(Statement statement) throws SQLException {
        List<String> tables = new ArrayList<>();
        try (ResultSet row = statement.executeQuery("select tablename from pg_tables where schemaname = 'public'")) {
            while (row.next()) {
                tables.add(row.getString(1));
            }
        }
        assertThat(tables).contains("entry", "response", "entry_event", "ledger_key");
        return tables;
    }

    /// What operators are told to run before they give a key up: of each key, how many entries, responses and events.
    private Map<String, List<Long>> left() throws Exception {
        String page = Files.readString(Path.of("src/site/markdown/operating.md"));
        String from = page.substring(page.indexOf("**Giving a key up.**"));
        String sql = from.substring(from.indexOf("```sql\n") + 7, from.indexOf(";\n```"));
        Map<String, List<Long>> left = new HashMap<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                left.put(
                        row.getString("key_id"),
                        List.of(row.getLong("entries"), row.getLong("responses"), row.getLong("events")));
            }
        }
        return left;
    }

    @Test
    void dumpHoldsNoResponseTextAndReplaysWorkAfterARotation() throws Exception {
        List<Long> before = Objects.requireNonNull(left().get("k1"));
        String batched = Canary.key();
        String doubted = Canary.key();
        String plain = Canary.key();
        Expect.fresh(post(first, batched, "/payments/sealed"), 201);
        world.downstream().at("/pay/sealed/doubt", Step.json(500, "{\"id\":\"" + SECRET + "\"}"));
        assertThat(post(first, doubted, "/payments/sealed/doubt").statusCode()).isEqualTo(500);
        try (Replica other = start("plain", OLD)) {
            Expect.fresh(post(other, plain, "/payments/sealed/plain"), 201);
            Expect.replayed(post(other, batched, "/payments/sealed"), 201);
        }
        Expect.replayed(post(first, plain, "/payments/sealed/plain"), 201);

        assertThat(dump()).contains(batched, doubted, plain).doesNotContain(SECRET, QUERY);
        assertThat(fingerprint(batched)).startsWith("02");

        for (String writer : List.of("batched", "plain")) {
            try (Replica rotated = start(writer, NEW + ", " + OLD)) {
                for (String key : List.of(batched, plain)) {
                    String path = key.equals(plain) ? "/payments/sealed/plain" : "/payments/sealed";
                    Response again = post(rotated, key, path);
                    Expect.replayed(again, 201);
                    assertThat(again.body().asString()).contains(SECRET);
                    assertThat(again.header("Location")).isEqualTo("/" + SECRET);
                    Expect.refused(rotated.keyed(ALICE, key).body("{\"pin\":1}").post(path), 422, "key-reused");
                }
                assertThat(rotated.as(ALICE).header("Idempotency-Key", batched).get("/v1/entry").jsonPath()
                        .getString("target")).isEqualTo("/payments/sealed?token=" + QUERY);
                String fresh = Canary.key();
                Expect.fresh(post(rotated, fresh, "/payments/sealed"), 201);
                // Who has not got the new key yet can neither compare nor read.
                Expect.refused(post(first, fresh, "/payments/sealed"), 503, "ledger-unavailable");
            }
        }
        assertThat(dump()).doesNotContain(SECRET, QUERY);
        assertThat(left()).containsExactlyInAnyOrderEntriesOf(Map.of(
                "k1", List.of(before.get(0) + 3, before.get(1) + 2, before.get(2) + 1), "k2", List.of(2L, 2L, 0L)));
    }

    private String fingerprint(String key) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select fingerprint from entry where idempotency_key = '" + key + "'")) {
            row.next();
            return HexFormat.of().formatHex(row.getBytes(1));
        }
    }

    @Test
    void replicaWithoutKeysAnswers503BesideOneThatHasThem() {
        String key = Canary.key();
        Expect.fresh(post(first, key, "/payments/sealed"), 201);
        Expect.refused(post(keyless, key, "/payments/sealed"), 503, "ledger-unavailable");
        Expect.refused(keyless.keyed(ALICE, key).body("{}").post("/payments/sealed"), 503, "ledger-unavailable");

        String plain = Canary.key();
        Expect.fresh(post(keyless, plain, "/payments/sealed"), 201);
        Expect.replayed(post(first, plain, "/payments/sealed"), 201);
        Expect.refused(first.keyed(ALICE, plain).body("{}").post("/payments/sealed"), 422, "key-reused");

        // Claimed by the one, settled by the other: its fingerprint can be compared, its response cannot be read.
        String both = Canary.key();
        world.downstream().at("/dedup/sealed", Step.json(500, "{}"));
        assertThat(post(keyless, both, "/dedup/sealed").statusCode()).isEqualTo(500);
        Expect.fresh(post(first, both, "/dedup/sealed"), 201);
        Expect.refused(post(keyless, both, "/dedup/sealed"), 503, "ledger-unavailable");
        Expect.refused(
                keyless.as(ALICE).header("Idempotency-Key", both).get("/v1/entries/" + id(both) + "/response"), 503,
                "ledger-unavailable");
    }

    private String id(String key) {
        return first.as(ALICE).header("Idempotency-Key", key).get("/v1/entry").jsonPath().getString("entry_id");
    }

    @Test
    void startWithoutOrWithAWrongKeyIsRefused(@TempDir Path folder) throws Exception {
        Path without = Files.writeString(folder.resolve("without.yaml"), settings("batched", ""));
        Path wrong = Files.writeString(folder.resolve("wrong.yaml"), settings("batched", key("k1", 7)));
        Program serve = Program.start(List.of(), "serve", "--config", without.toString());
        Program migrate = Program.run("migrate", "--config", wrong.toString());
        assertThat(serve.awaitExit()).isNotZero();
        assertThat(serve.output()).contains("encrypted with \"k1\"", "the settings name no key", "retired");
        assertThat(migrate.awaitExit()).isNotZero();
        assertThat(migrate.output()).contains("\"k1\" in ledger.encryption.keys is not the one").doesNotContain("BwcH");
    }
}

package dev.latchkey.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32;

/// Whether the schema is the one that this program makes, or that one with additions of a newer program, by one look at
/// Flyway's own history. Flyway itself costs a second or more at each start; it is asked only where the answer here is no,
/// and then says why.
final class QuickLook {

    /// Every migration, by its folder and name. A test holds this against the folders.
    static final List<String> MIGRATIONS =
            List.of(
                    "db/migration/V1__ledger.sql", "db/migration/V2__held_claims.sql",
                    "db/migration/V3__ledger_keys.sql",
                    "db/engine/R__postgresql_options.sql");

    private static final String THERE = "select to_regclass('flyway_schema_history') is not null";

    private static final String HISTORY =
            """
                    select script, description, checksum, success
                      from flyway_schema_history
                     where script <> ''
                     order by installed_rank
                    """;

    private static final String EXPANDS = "expand ";
    private static final String REPEATABLE = "R__";

    private QuickLook() {}

    static boolean fits(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (!isThere(statement)) {
                return false;
            }
            Map<String, Integer> expected = expected();
            Map<String, Integer> applied = new HashMap<>();
            boolean newer = false;
            try (ResultSet row = statement.executeQuery(HISTORY)) {
                while (row.next()) {
                    String script = row.getString("script");
                    boolean known = expected.containsKey(script);
                    if (!row.getBoolean("success") || (!known && !expands(row.getString("description")))) {
                        return false;
                    }
                    newer |= !known;
                    if (known) {
                        applied.put(script, row.getInt("checksum"));
                    }
                }
            }
            if (newer) {
                // A newer program's options hold: else an older one would put its own back at each start.
                expected.replaceAll((script, sum) -> script.startsWith(REPEATABLE)
                        ? applied.getOrDefault(script, sum)
                        : sum);
            }
            return applied.equals(expected);
        }
    }

    /// Whether a migration says of itself that it only adds, so that older programs go on.
    ///
    /// @param description as Flyway has it, made of the file's name
    static boolean expands(String description) {
        return description.startsWith(EXPANDS);
    }

    private static boolean isThere(Statement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery(THERE)) {
            row.next();
            return row.getBoolean(1);
        }
    }

    private static Map<String, Integer> expected() {
        Map<String, Integer> expected = new HashMap<>();
        MIGRATIONS.forEach(path -> expected.put(path.substring(path.lastIndexOf('/') + 1), checksum(path)));
        return expected;
    }

    /// As Flyway makes it: CRC-32 over the lines without their ends.
    private static int checksum(String path) {
        CRC32 sum = new CRC32();
        try (InputStream file = QuickLook.class.getClassLoader().getResourceAsStream(path);
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(Objects.requireNonNull(file, path), StandardCharsets.UTF_8))) {
            lines.lines().forEach(line -> sum.update(line.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return (int) sum.getValue();
    }
}

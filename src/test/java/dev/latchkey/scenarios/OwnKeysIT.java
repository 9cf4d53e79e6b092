package dev.latchkey.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Scenarios 9 and 10, beside the page: what a rerun leaves alone in the ledger, and the same task on two replicas.
@QuickStart.Started
final class OwnKeysIT {

    private static final Path PAGE = Path.of("src/site/markdown/pipelines.md");

    private final QuickStart quickStart;
    private final Shell shell;

    OwnKeysIT(QuickStart quickStart) throws IOException {
        this.quickStart = quickStart;
        this.shell = quickStart.shell();
        for (Section section : Section.of(Files.readString(PAGE))) {
            if (section.title().matches("Before you start|9 .*|10 .*")) {
                quickStart.files(section).forEach(shell::save);
            }
        }
    }

    @BeforeEach
    void pythonIsThere() {
        Assumptions.assumeTrue(Shell.has("python3"), "NOT RUN, since there is no python3");
    }

    @Test
    void rerunOfMarchTouchesNoKeyOfApril() throws SQLException {
        String backfill = quickStart.here("python3 backfill.py http://localhost:8080 2027-0");
        shell.expect(backfill + "3-01 2027-03-31");
        shell.expect(backfill + "4-01 2027-04-30");
        String april = april();
        assertThat(april).startsWith("30 ");
        assertThat(shell.expect(backfill + "3-01 2027-03-31")).isEqualTo("{'replayed': 31}");
        assertThat(april()).isEqualTo(april);
    }

    @Test
    void taskStartedTwiceOnTwoReplicasHasOneEffectAndBothItsAnswer() {
        String task = "python3 digest.py http://localhost:%d 2027-01-04";
        String both = "(" + task.formatted(quickStart.gateway().port()) + " & "
                + task.formatted(quickStart.second().port()) + " & wait) | sort";
        assertThat(shell.expect(both)).isEqualTo("202 fresh\n202 replayed");
        assertThat(quickStart.notifications("{\"digest\": \"2027-01-04\"}")).isEqualTo(1);
    }

    /// How many keys of April there are, and a digest of their rows.
    private String april() throws SQLException {
        try (Connection connection = quickStart.ledger().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) || ' ' || md5(string_agg(e::text, ';' order by"
                        + " entry_id)) from entry e where idempotency_key like 'day-closed:2027-04-%'")) {
            rows.next();
            return rows.getString(1);
        }
    }
}

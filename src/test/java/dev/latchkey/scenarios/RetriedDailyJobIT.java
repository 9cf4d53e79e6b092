package dev.latchkey.scenarios;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Scenario 2, where the page cannot show it: the job is killed inside its transaction, between delete and insert.
@QuickStart.Started
final class RetriedDailyJobIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String JOB = """
            import os, signal, subprocess
            psql = subprocess.Popen(["psql", "-q", os.environ["WAREHOUSE"]], stdin=subprocess.PIPE, text=True)
            psql.stdin.write("begin;\\ndelete from killed_day where day = '2026-01-10';\\n")
            psql.stdin.flush()
            signal.pause()
            """;

    private final QuickStart quickStart;

    RetriedDailyJobIT(QuickStart quickStart) {
        this.quickStart = quickStart;
    }

    @Test
    void jobKilledBetweenDeleteAndInsertLeavesTheDayAsItWas() throws Exception {
        Assumptions.assumeTrue(Shell.has("python3"), "NOT RUN, since there is no python3");
        Shell shell = quickStart.shell();
        shell.save("job.py", JOB);
        quickStart.warehouse().run("create table killed_day (day date, amount numeric(10, 2))");
        quickStart.warehouse().run("insert into killed_day values ('2026-01-10', 25.00)");
        try {
            Process job = shell.start("exec python3 job.py");
            await().atMost(PATIENCE).until(() -> deleters().equals("1"));
            assertThat(total()).isEqualTo("25.00");
            job.destroyForcibly().waitFor();
            await().atMost(PATIENCE).until(() -> deleters().equals("0"));
            assertThat(total()).isEqualTo("25.00");
        } finally {
            quickStart.warehouse().run("drop table killed_day");
        }
    }

    private String total() throws SQLException {
        return text("select sum(amount) from killed_day where day = '2026-01-10'");
    }

    /// Sessions that have deleted the day and not committed.
    private String deleters() throws SQLException {
        return text("select count(*) from pg_stat_activity where datname = current_database()"
                + " and state = 'idle in transaction' and query like '%delete from killed_day%'");
    }

    private String text(String sql) throws SQLException {
        try (Connection connection = quickStart.warehouse().connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}

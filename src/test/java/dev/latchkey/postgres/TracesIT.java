package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.Rehearsal;
import dev.latchkey.model.Guard;
import dev.latchkey.model.Trace;
import dev.latchkey.testing.Hard;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What goes wrong in the exhaustive model without a guard, played step by step with the real call on PostgreSQL, where every
/// guard holds: then nothing goes wrong. In the process of [dev.latchkey.model.ModelIT], which has found the ways.
@Hard
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TracesIT {

    private TestLedger ledger;

    @BeforeAll
    void open() {
        ledger = TestLedger.open();
    }

    @AfterAll
    void close() {
        ledger.close();
    }

    @BeforeEach
    void empty() {
        ledger.database().run("truncate entry, response, entry_event");
    }

    /// Stalls without bound can do harm with any guard (contract §11), and an asynchronous standby loses what was
    /// acknowledged.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = {"NONE", "G18"})
    void nothingGoesWrongOnTheWay(Guard guard) {
        assertThat(rehearse(guard, Guard.NONE)).isEmpty();
    }

    /// What is played does harm where a guard is really missing.
    @ParameterizedTest
    @EnumSource(names = {"G4", "G5_WATCH", "G12", "G15", "G22"})
    void theWayLeadsToHarmWithoutTheGuard(Guard guard) {
        assertThat(rehearse(guard, guard)).contains("took effect 2 times");
    }

    private List<String> rehearse(Guard trace, Guard missing) {
        return new Rehearsal(ledger.ledger(), new Rows(), missing, trace.scenario()).play(Trace.without(trace));
    }

    /// The one row, past the ledger.
    private final class Rows implements Rehearsal.Database {

        @Override
        public void age(String column, Duration by) {
            ledger.database().run("update entry set " + column + " = " + column + " - " + by.toMillis()
                    + " * interval '1 millisecond'");
        }

        @Override
        public @Nullable String row() {
            try (Connection connection = ledger.database().connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select to_jsonb(entry)::text from entry")) {
                return row.next() ? row.getString(1) : null;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void restore(@Nullable String row) {
            delete();
            if (row != null) {
                ledger.database().run("insert into entry select * from jsonb_populate_record(null::entry, '"
                        + row.replace("'", "''") + "')");
            }
        }

        @Override
        public void delete() {
            ledger.database().run("delete from entry; delete from response");
        }
    }
}

package dev.latchkey.postgres;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.LedgerContract;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.testing.TestPostgres;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// The contract on PostgreSQL.
abstract class PostgresContract extends LedgerContract {

    private final Suite suite;

    PostgresContract(Suite suite) {
        this.suite = suite;
    }

    @Override
    protected Ledger ledger() {
        return suite.opened().ledger();
    }

    TestPostgres database() {
        return suite.opened().database();
    }

    @Override
    protected void age(EntryId id, Duration by) {
        suite.opened().age(id, by);
    }

    /// The suite's ledger, on a database of its own: an extension of the suite, which it opens for and closes after.
    static final class Suite implements BeforeAllCallback, AfterAllCallback {

        private final Function<TestPostgres, PostgresLedger> opening;
        private @Nullable TestLedger opened;

        Suite(Function<TestPostgres, PostgresLedger> opening) {
            this.opening = opening;
        }

        @Override
        public void beforeAll(ExtensionContext context) {
            TestPostgres database = TestPostgres.create();
            opened = new TestLedger(database, opening.apply(database));
        }

        @Override
        public void afterAll(ExtensionContext context) {
            opened().close();
        }

        private TestLedger opened() {
            return Objects.requireNonNull(opened);
        }
    }
}

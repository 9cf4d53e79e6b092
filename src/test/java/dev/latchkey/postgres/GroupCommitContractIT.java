package dev.latchkey.postgres;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.LedgerContract;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.testing.TestPostgres;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The statement of many keeps the whole contract, where it is made to write even one alone.
class GroupCommitContractIT extends LedgerContract {

    private static TestLedger ledger;

    @BeforeAll
    static void open() {
        TestPostgres database = TestPostgres.create();
        ledger = new TestLedger(
                database, PostgresLedger.open(TestLedger.settings(database), 1, TestLedger.CLOCKS));
    }

    @AfterAll
    static void close() {
        ledger.close();
    }

    @Override
    protected Ledger ledger() {
        return ledger.ledger();
    }

    @Override
    protected void age(EntryId id, Duration by) {
        ledger.age(id, by);
    }
}

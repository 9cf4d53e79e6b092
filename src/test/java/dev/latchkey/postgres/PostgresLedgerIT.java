package dev.latchkey.postgres;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.LedgerContract;
import dev.latchkey.protocol.EntryId;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/// The ledger on PostgreSQL keeps the contract.
class PostgresLedgerIT extends LedgerContract {

    private static TestLedger ledger;

    @BeforeAll
    static void open() {
        ledger = TestLedger.open();
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

package dev.latchkey.postgres;

import org.junit.jupiter.api.extension.RegisterExtension;

/// The ledger on PostgreSQL keeps the contract.
class PostgresLedgerIT extends PostgresContract {

    @RegisterExtension
    static final Suite SUITE = new Suite(
            database -> PostgresLedger.open(TestLedger.settings(database), TestLedger.CLOCKS));

    PostgresLedgerIT() {
        super(SUITE);
    }
}

package dev.latchkey.postgres;

import dev.latchkey.postgres.PostgresSettings.Writer;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Where each write is a transaction of its own, the contract is kept too.
class PlainLedgerIT extends PostgresContract {

    @RegisterExtension
    static final Suite SUITE = new Suite(
            database -> PostgresLedger.open(TestLedger.settings(database, Writer.PLAIN), TestLedger.CLOCKS));

    PlainLedgerIT() {
        super(SUITE);
    }
}

package dev.latchkey.postgres;

import org.junit.jupiter.api.extension.RegisterExtension;

/// The statement of many keeps the whole contract, where it is made to write even one alone.
class GroupCommitContractIT extends PostgresContract {

    @RegisterExtension
    static final Suite SUITE = new Suite(
            database -> PostgresLedger.open(TestLedger.settings(database), 1, TestLedger.CLOCKS));

    GroupCommitContractIT() {
        super(SUITE);
    }
}

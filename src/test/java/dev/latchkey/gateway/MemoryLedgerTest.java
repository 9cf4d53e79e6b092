package dev.latchkey.gateway;

import dev.latchkey.protocol.EntryId;
import java.time.Duration;
import java.time.Instant;

/// The ledger in memory keeps the contract.
class MemoryLedgerTest extends LedgerContract {

    private final MemoryLedger ledger = new MemoryLedger(Instant.parse("2026-01-04T12:00:00Z"));

    @Override
    protected Ledger ledger() {
        return ledger;
    }

    @Override
    protected void age(EntryId id, Duration by) {
        ledger.age(id, by);
    }
}

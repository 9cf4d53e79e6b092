package dev.latchkey.gateway;

import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.State;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Writes into the ledger in memory past all its rules, as one does that lacks a guard.
record Tampering(MemoryLedger memory, Chronicle chronicle) {

    /// To be followed by a write, at which it is seen.
    void put(Entry entry) {
        MemoryLedger.Contents now = memory.contents();
        Map<EntryId, Entry> entries = new HashMap<>(now.entries());
        entries.put(entry.id(), entry);
        memory.replace(new MemoryLedger.Contents(entries, now.responses(), now.events()));
    }

    /// @param entryToo or the response alone
    void remove(EntryId id, boolean entryToo) {
        MemoryLedger.Contents now = memory.contents();
        Map<EntryId, Entry> entries = new HashMap<>(now.entries());
        if (entryToo) {
            entries.remove(id);
        }
        Map<EntryId, RecordedResponse> responses = new HashMap<>(now.responses());
        responses.remove(id);
        memory.replace(new MemoryLedger.Contents(entries, responses, now.events()));
        chronicle.written("the missing guard");
    }

    /// The same entry as the transition would take it.
    static Entry unsettled(Entry e, State state, @Nullable Instant inDoubtSince, int attempts) {
        return new Entry(
                e.id(), e.client(), e.key(), e.route(), e.method(), e.target(), e.fingerprint(), e.correction(),
                e.sentAs(), state, e.attempt(), attempts, e.claimedAt(), e.firstForwardAt(), e.leaseUntil(),
                inDoubtSince, e.cause(), null, null, null, false, null, e.erased(), e.releasedOnExpiry());
    }

    /// The same entry, forwarded first just now.
    static Entry justForwarded(Found found) {
        Entry e = found.entry();
        return new Entry(
                e.id(), e.client(), e.key(), e.route(), e.method(), e.target(), e.fingerprint(), e.correction(),
                e.sentAs(), e.state(), e.attempt(), e.attempts(), e.claimedAt(), found.now(), e.leaseUntil(),
                e.inDoubtSince(), e.cause(), e.recordedAt(), e.expiresAt(), e.status(), e.rejection(), e.settledBy(),
                e.erased(), e.releasedOnExpiry());
    }

    /// The same entry, kept for ever.
    static Entry forEver(Entry e) {
        return new Entry(
                e.id(), e.client(), e.key(), e.route(), e.method(), e.target(), e.fingerprint(), e.correction(),
                e.sentAs(), e.state(), e.attempt(), e.attempts(), e.claimedAt(), e.firstForwardAt(), e.leaseUntil(),
                e.inDoubtSince(), e.cause(), e.recordedAt(), null, e.status(), e.rejection(), e.settledBy(),
                e.erased(), e.releasedOnExpiry());
    }
}

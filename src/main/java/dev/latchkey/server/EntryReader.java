package dev.latchkey.server;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads the ledger for people and programs that execute nothing. A claim whose lease is over is put in doubt first, so
/// that nobody is told of a forward under way that is none. Safe for any number of threads.
final class EntryReader {

    private final Ledger ledger;

    EntryReader(Ledger ledger) {
        this.ledger = ledger;
    }

    @Nullable
    Found find(EntryId id) {
        Found found = ledger.find(id);
        return found == null || !found.entry().leaseOver(found.now()) ? found : swept(found);
    }

    /// @throws Refusing for an `after` that the ledger did not make
    Ledger.Page list(Ledger.Query query) {
        Ledger.Page page = page(query);
        List<Entry> entries = new ArrayList<>();
        for (Entry entry : page.entries()) {
            entries.add(entry.leaseOver(page.now()) ? swept(entry, page.now()) : entry);
        }
        return new Ledger.Page(entries, page.next(), page.now());
    }

    List<Ledger.Event> history(EntryId id) {
        return ledger.history(id);
    }

    private Ledger.Page page(Ledger.Query query) {
        try {
            return ledger.list(query);
        } catch (IllegalArgumentException e) {
            if (query.after() == null) {
                throw e;
            }
            throw Parameters.refusing("after is not the next of a page before.");
        }
    }

    private Entry swept(Entry entry, Instant now) {
        Found found = swept(new Found(entry, null, now));
        return found == null ? entry : found.entry();
    }

    private @Nullable Found swept(Found found) {
        Entry entry = found.entry();
        return switch (ledger.settle(entry.id(), entry.attempt(), new Transition.LeaseOver())) {
            case Ledger.Settled.Applied applied -> applied.now();
            case Ledger.Settled.Lost lost -> lost.found();
        };
    }
}

package dev.latchkey.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.State;
import java.time.Instant;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Entries as JSON (contract §13). Members are never left out: what does not apply is null. Immutable; safe for any number
/// of threads.
final class EntryJson {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Function<Entry, @Nullable String> downstreamKey;

    /// @param downstreamKey what the downstream is sent as the entry's key; null: nothing, or the settings changed
    EntryJson(Function<Entry, @Nullable String> downstreamKey) {
        this.downstreamKey = downstreamKey;
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /// As its owner sees it.
    ObjectNode forClient(Entry entry) {
        boolean recorded = entry.state() == State.RECORDED;
        boolean unsettled = entry.state() == State.IN_DOUBT || entry.state() == State.RELEASED;
        ObjectNode node = object();
        node.put("entry_id", entry.id().toString());
        node.put("idempotency_key", entry.erased() ? null : entry.key());
        node.put("state", entry.state().wireName());
        node.put("route", entry.route());
        node.put("method", entry.method());
        node.put("target", entry.erased() ? null : entry.target());
        node.put("claimed_at", entry.claimedAt().toString());
        node.put("recorded_at", text(entry.recordedAt()));
        node.put("attempts", entry.attempts());
        node.put("recorded_status", recorded ? entry.status() : null);
        node.put("downstream_key", entry.erased() ? null : downstreamKey.apply(entry));
        node.put("cause", unsettled && entry.cause() != null ? entry.cause().name() : null);
        node.put("expires_at", text(entry.expiresAt()));
        return node;
    }

    /// As an operator sees it.
    ObjectNode forOperator(Entry entry) {
        ObjectNode node = forClient(entry);
        node.put("client", entry.client());
        node.put("last_cause", entry.cause() == null ? null : entry.cause().name());
        node.put("status", entry.status());
        node.put("correction", entry.correction());
        node.put("first_forward_at", entry.firstForwardAt().toString());
        node.put("lease_until", entry.leaseUntil().toString());
        node.put("in_doubt_since", text(entry.inDoubtSince()));
        node.put("settled_by", entry.settledBy());
        node.put("rejection", entry.rejection());
        node.put("erased", entry.erased());
        return node;
    }

    /// A page of a list.
    ObjectNode page(Ledger.Page page, Function<Entry, ObjectNode> each) {
        ObjectNode node = object();
        page.entries().stream().map(each).forEach(node.putArray("entries")::add);
        node.put("next", page.next());
        return node;
    }

    /// An entry's history, oldest first.
    static void addHistory(ObjectNode node, List<Ledger.Event> history) {
        BiConsumer<ObjectNode, Ledger.Event> fill = (line, event) -> {
            line.put("at", event.at().toString());
            line.put("kind", event.kind());
            // As text: half of these numbers are more than a double holds.
            line.put("attempt", Long.toString(event.attempt()));
            line.put("cause", event.cause());
            line.put("by", event.by());
            line.put("status", event.status());
        };
        var lines = node.putArray("history");
        history.forEach(event -> fill.accept(lines.addObject(), event));
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }
}

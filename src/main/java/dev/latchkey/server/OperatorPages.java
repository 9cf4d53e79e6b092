package dev.latchkey.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What operators read of the ledger: every client's entries, with their history. Every answer has `now` by the ledger's
/// clock. Safe for any number of threads.
public final class OperatorPages {

    private final Clients operators;
    private final boolean loopback;
    private final EntryReader reader;
    private final EntryJson json;

    /// @param operators who may; nobody is known: everybody who reaches a loopback address
    /// @param host what the management port is bound to
    /// @param downstreamKey what the downstream is sent as an entry's key; null: nothing, or nobody can tell any longer
    public OperatorPages(
            Clients operators, String host, Ledger ledger, Function<Entry, @Nullable String> downstreamKey) {
        this.operators = operators;
        this.loopback = isLoopback(host);
        this.reader = new EntryReader(ledger);
        this.json = new EntryJson(downstreamKey);
    }

    Reply list(Exchange exchange) {
        admit(exchange);
        Parameters asked =
                Parameters.of(exchange.query(), "state", "client", "route", "key", "since", "limit", "after");
        Ledger.Page page = reader.list(new Ledger.Query(
                asked.state(), asked.text("client"), asked.text("route"), asked.text("key"), asked.since(),
                asked.limit(),
                asked.text("after")));
        ObjectNode node = json.page(page, json::forOperator);
        node.put("now", page.now().toString());
        return EntryPages.ok(node);
    }

    Reply one(Exchange exchange, String named) {
        admit(exchange);
        EntryId id = Parameters.entryId(named);
        Found found = reader.find(id);
        if (found == null) {
            throw Parameters.noSuchEntry();
        }
        ObjectNode node = json.forOperator(found.entry());
        EntryJson.addHistory(node, reader.history(id));
        node.put("now", found.now().toString());
        return EntryPages.ok(node);
    }

    private void admit(Exchange exchange) {
        if (operators.isEmpty()) {
            if (!loopback) {
                throw new Refusing(
                        Problem.ROUTE_FORBIDDEN,
                        "No operators are configured, and this port is not bound to a loopback address. Name operators in"
                                + " the settings.");
            }
        } else if (operators.authenticate(exchange.headers()).isEmpty()) {
            throw CallHandler.unauthenticated();
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }
}

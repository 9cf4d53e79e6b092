package dev.latchkey.server;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.Verdicts;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import java.time.Instant;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What operators read and change of the ledger: every client's entries, with their history; verdicts and
/// erasure. Every answer has `now` by the ledger's clock. Safe for any number of threads.
public final class OperatorPages {

    private final OperatorAccess access;
    private final Clients clients;
    private final OperatorBodies bodies;
    private final EntryReader reader;
    private final EntryJson json;
    private final Ledger ledger;
    private final Verdicts verdicts;

    /// @param operators who may; nobody is known: everybody who reaches a loopback address
    /// @param clients whose entries they are
    /// @param host what the management port is bound to
    /// @param downstreamKey what the downstream is sent as an entry's key; null: nothing, or nobody can tell any longer
    /// @param budget for the bodies of verdicts
    public OperatorPages(
            Clients operators, Clients clients, String host, Ledger ledger,
            Function<Entry, @Nullable String> downstreamKey,
            Verdicts verdicts, ByteBudget budget) {
        this.access = new OperatorAccess(operators, host);
        this.clients = clients;
        this.bodies = new OperatorBodies(budget);
        this.ledger = ledger;
        this.reader = new EntryReader(ledger);
        this.json = new EntryJson(downstreamKey);
        this.verdicts = verdicts;
    }

    Reply list(Exchange exchange) {
        access.admit(exchange);
        Parameters asked =
                Parameters.of(exchange.query(), "state", "client", "route", "key", "since", "limit", "after");
        Ledger.Page page = reader.list(new Ledger.Query(
                asked.state(), clients.inLedger(asked.text("client")), asked.text("route"), asked.text("key"),
                asked.since(),
                asked.limit(),
                asked.text("after")));
        ObjectNode node = json.page(page, json::forOperator);
        node.put("now", page.now().toString());
        return EntryPages.ok(node);
    }

    Reply one(Exchange exchange, String named) {
        access.admit(exchange);
        EntryId id = Parameters.entryId(named);
        Found found = reader.find(id);
        if (found == null) {
            throw Parameters.noSuchEntry();
        }
        return withHistory(found);
    }

    /// Why entries are in doubt, in groups.
    Reply doubts(Exchange exchange) {
        access.admit(exchange);
        Parameters.of(exchange.query());
        Ledger.DoubtGroups doubts = ledger.doubtGroups();
        ObjectNode node = EntryJson.object();
        node.put("count", doubts.groups().stream().mapToLong(Ledger.DoubtGroup::count).sum());
        ArrayNode groups = node.putArray("groups");
        for (Ledger.DoubtGroup group : doubts.groups()) {
            ObjectNode line = groups.addObject();
            line.put("cause", group.cause());
            line.put("route", group.route());
            line.put("client", group.client());
            line.put("count", group.count());
            line.put("oldest", group.oldest().toString());
            line.put("newest", group.newest().toString());
        }
        node.put("now", doubts.now().toString());
        return EntryPages.ok(node);
    }

    Reply verdict(Exchange exchange, String named) {
        String by = access.admitChange(exchange);
        EntryId id = Parameters.entryId(named);
        return bodies.read(exchange, body -> answer(verdicts.settle(id, VerdictReader.single(body, by))));
    }

    Reply erase(Exchange exchange, String named) {
        String by = access.admitChange(exchange);
        EntryId id = Parameters.entryId(named);
        return bodies.read(exchange, body -> answer(verdicts.erase(id, VerdictReader.onlyReason(body), by)));
    }

    private Reply answer(Verdicts.Outcome outcome) {
        return switch (outcome) {
            case Verdicts.Outcome.Settled settled -> withHistory(settled.now());
            case Verdicts.Outcome.Refused refused -> throw new Refusing(refused.refusal());
        };
    }

    Reply verdicts(Exchange exchange) {
        String by = access.admitChange(exchange);
        return bodies.read(exchange, body -> {
            VerdictReader.Many many = VerdictReader.many(body, by);
            Verdicts.Filter named = many.filter();
            Verdicts.Filter filter =
                    new Verdicts.Filter(named.route(), clients.inLedger(named.client()), named.cause());
            Verdicts.Count count = verdicts.count(filter);
            ObjectNode node = EntryJson.object();
            if (many.verdict() == null) {
                node.put("count", count.count());
                node.put("as_of", count.asOf().toString());
                node.put("now", count.asOf().toString());
            } else {
                Verdicts.Tally tally = verdicts.settleAll(filter, many.verdict());
                node.put("settled", tally.settled());
                ObjectNode refused = node.putObject("refused");
                tally.refused().forEach((problem, number) -> refused.put(problem.slug(), number));
                node.put("complete", tally.complete());
                node.put("now", now().toString());
            }
            return EntryPages.ok(node);
        });
    }

    private Instant now() {
        return ledger.list(new Ledger.Query(null, null, null, null, null, 1, null)).now();
    }

    private Reply withHistory(Found found) {
        ObjectNode node = json.forOperator(found.entry());
        EntryJson.addHistory(node, reader.history(found.entry().id()));
        node.put("now", found.now().toString());
        return EntryPages.ok(node);
    }
}

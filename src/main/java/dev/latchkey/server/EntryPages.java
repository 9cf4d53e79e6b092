package dev.latchkey.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.Caller;
import dev.latchkey.gateway.Door;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Decision;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Protocol;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What a client reads of the ledger (contract §13): its own entries only. Executes nothing. Safe for any number of
/// threads.
public final class EntryPages {

    private final Clients clients;
    private final EntryReader reader;
    private final Doors doors;
    private final EntryJson json;
    private final AnswerWriter writer = new AnswerWriter();

    /// @param clients the same as for calls
    /// @param doors the routes, for what is said of entries in doubt
    /// @param downstreamKey what the downstream is sent as an entry's key; null: nothing, or nobody can tell any longer
    public EntryPages(
            Clients clients, Ledger ledger, List<Door> doors, Function<Entry, @Nullable String> downstreamKey) {
        this.clients = clients;
        this.reader = new EntryReader(ledger);
        this.doors = new Doors(doors);
        this.json = new EntryJson(downstreamKey);
    }

    void addTo(Pages pages, RoutesConfig routes) {
        pages.get(routes, "/v1/entry", this::byKey);
        pages.get(routes, "/v1/entries", this::list);
        pages.get(routes, "/v1/entries/{id}", this::byId);
        pages.get(routes, "/v1/entries/{id}/response", this::response);
    }

    private Reply byKey(Exchange exchange, Context context) {
        Caller caller = caller(exchange);
        Parameters.of(exchange.query());
        return switch (IdempotencyKey.parse(exchange.headers().all(Keys.FIELD))) {
            case IdempotencyKey.Valid valid -> entry(own(EntryId.of(caller.oldestName(), valid.key()), caller));
            case IdempotencyKey.Missing _ -> throw new Refusing(
                    Problem.KEY_MISSING, "Name the entry by its key, in the field Idempotency-Key.");
            case IdempotencyKey.Invalid invalid -> throw new Refusing(Problem.KEY_INVALID, invalid.reason() + ".");
        };
    }

    private Reply byId(Exchange exchange, Context context) {
        Caller caller = caller(exchange);
        return entry(own(Parameters.entryId(context.pathParam("id")), caller));
    }

    private Reply list(Exchange exchange, Context context) {
        Caller caller = caller(exchange);
        Parameters asked = Parameters.of(exchange.query(), "state", "route", "since", "limit", "after");
        Ledger.Page page = reader.list(new Ledger.Query(
                asked.state(), caller.oldestName(), asked.text("route"), null, asked.since(), asked.limit(),
                asked.text("after")));
        return ok(json.page(page, json::forClient));
    }

    private Reply response(Exchange exchange, Context context) {
        Caller caller = caller(exchange);
        Found found = own(Parameters.entryId(context.pathParam("id")), caller);
        Door door = doors.named(found.entry().route()).orElse(null);
        return switch (Protocol.onRead(found, door == null ? null : door.policy())) {
            case Decision.Replay replay -> replay(replay);
            case Decision.Refuse refuse -> writer.reply(
                    new Answer.Refused(refuse.refusal()), AnswerWriter.Marks.NONE, "urn:uuid:" + UUID.randomUUID());
            case Decision.Forward _,Decision.Wait _,Decision.Sweep _ ->
                    throw new IllegalStateException("reading never acts");
        };
    }

    private Reply replay(Decision.Replay replay) {
        IdempotencyKey key = IdempotencyKey.check(replay.entry().key()) instanceof IdempotencyKey.Valid valid
                ? valid.key()
                : null;
        Reply reply = writer.reply(
                Answer.Delivered.replay(replay.entry(), replay.response()), new AnswerWriter.Marks(true, key, null),
                "");
        return Reply.of(reply.status(), reply.headers().with("Cache-Control", "no-store"), reply.body());
    }

    private Caller caller(Exchange exchange) {
        Caller caller = clients.authenticate(exchange.headers()).orElseThrow(CallHandler::unauthenticated);
        CallHandler.checkTarget(exchange);
        return caller;
    }

    /// Another's entry is not told from one that is not there.
    private Found own(EntryId id, Caller caller) {
        Found found = reader.find(id);
        if (found == null || !found.entry().client().equals(caller.oldestName())) {
            throw Parameters.noSuchEntry();
        }
        return found;
    }

    private Reply entry(Found found) {
        return ok(json.forClient(found.entry()));
    }

    static Reply ok(ObjectNode document) {
        return Reply.of(
                200,
                Headers.of("Content-Type", "application/json", "Cache-Control", "no-store"),
                ProblemDocument.bytes(document));
    }
}

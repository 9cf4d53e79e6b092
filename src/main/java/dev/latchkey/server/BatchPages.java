package dev.latchkey.server;

import dev.latchkey.gateway.Caller;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/// Takes in batches: many calls of one client in one request, a line of JSON for each. Safe for any number of threads.
final class BatchPages {

    private static final String MEDIA_TYPE = "application/x-ndjson";
    private static final Set<String> MEDIA_TYPES = Set.of(MEDIA_TYPE, "application/ndjson", "application/jsonl");

    private final Clients clients;
    private final Drain drain;
    private final Batch.Parts parts;

    /// @param clients the same as for calls
    BatchPages(Clients clients, Drain drain, Batch.Parts parts) {
        this.clients = clients;
        this.drain = drain;
        this.parts = parts;
    }

    void addTo(Pages pages, RoutesConfig routes) {
        pages.calling(routes, HandlerType.POST, "/v1/batches", this::batch);
    }

    private Reply batch(Exchange exchange, Context context) {
        if (drain.isRefusing()) {
            throw new Refusing(Problem.DRAINING, "This replica is shutting down. Send the batch again.");
        }
        Caller caller = clients.authenticate(exchange.headers()).orElseThrow(CallHandler::unauthenticated);
        CallHandler.checkTarget(exchange);
        Parameters.of(exchange.query());
        CallHandler.checkCoding(exchange);
        checkType(exchange.headers());
        try {
            Batch batch = new Batch(
                    parts, caller, exchange.lines(), exchange.origin(), new BatchTrace(exchange.headers()),
                    exchange::lineCame, exchange::cut, "urn:uuid:" + UUID.randomUUID());
            return new Reply(
                    200, Headers.of("Content-Type", MEDIA_TYPE, "Cache-Control", "no-store"), Body.empty(), batch);
        } catch (IOException _) {
            throw new Refusing(Problem.REQUEST_INVALID, "The body did not come.");
        }
    }

    private static void checkType(Headers headers) {
        List<String> codings = headers.all("Content-Encoding");
        if (!codings.stream().allMatch(coding -> coding.equalsIgnoreCase("identity"))) {
            throw new Refusing(Problem.REQUEST_INVALID, "A batch is read as it is: send it without a content coding.");
        }
        List<String> types = headers.all("Content-Type");
        if (types.size() > 1 || !types.stream().allMatch(BatchPages::isLines)) {
            throw new Refusing(
                    Problem.REQUEST_INVALID, "The media type must be " + MEDIA_TYPE + ": a JSON object in each line.");
        }
    }

    private static boolean isLines(String type) {
        return MEDIA_TYPES.contains(type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT));
    }
}

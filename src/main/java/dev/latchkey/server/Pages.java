package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpResponseException;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Serves what the program shows of itself, on either port: a page makes a [Reply], and what it throws becomes a problem.
/// Safe for any number of threads.
final class Pages {

    private static final Log LOG = Log.of(Pages.class);

    private final Drain drain;
    private final AnswerWriter writer = new AnswerWriter();

    Pages(Drain drain) {
        this.drain = drain;
    }

    /// Makes the reply to one request.
    interface Page {
        Reply reply(Exchange exchange, Context context);
    }

    /// Serves GET and HEAD on a path.
    void get(RoutesConfig routes, String path, Page page) {
        routes.get(path, context -> serve(context, page));
        routes.head(path, context -> serve(context, page));
    }

    /// Serves another method on a path.
    void on(RoutesConfig routes, HandlerType method, String path, Page page) {
        routes.addHttpHandler(method, path, context -> serve(context, page));
    }

    /// Serves a page that makes calls: it counts as a call under way, so that a drain waits for it.
    void calling(RoutesConfig routes, HandlerType method, String path, Page page) {
        routes.addHttpHandler(method, path, context -> {
            try (Drain.Visit _ = drain.enter()) {
                serve(context, page);
            }
        });
    }

    /// Says as a problem what no page was found for.
    void addRefusals(RoutesConfig routes) {
        routes.exception(HttpResponseException.class, (unmatched, context) -> {
            String allowed = unmatched.getDetails().getOrDefault(
                    "availableMethods", unmatched.getDetails().get("Available methods"));
            serve(context, (exchange, _) -> refuseUnmatched(unmatched.getStatus(), allowed, exchange));
        });
    }

    private Reply refuseUnmatched(int status, @Nullable String allowed, Exchange exchange) {
        CallHandler.checkTarget(exchange);
        if (status != 405) {
            throw new Refusing(Problem.NO_SUCH_ROUTE, "There is nothing at this path.");
        }
        Refusal refusal = Refusal.of(Problem.METHOD_NOT_ALLOWED, "This path does not take this method.");
        Reply reply = refused(refusal);
        return Reply.of(reply.status(), reply.headers().plus("Allow", String.valueOf(allowed)), reply.body());
    }

    private void serve(Context context, Page page) {
        Exchange exchange = new Exchange(context);
        try {
            exchange.send(reply(exchange, context, page), drain.isLeaving());
        } catch (IOException _) {
            // Whoever asked has gone; a page changes nothing.
        }
    }

    private Reply reply(Exchange exchange, Context context, Page page) {
        try {
            return page.reply(exchange, context);
        } catch (Refusing e) {
            return refused(e.refusal());
        } catch (LedgerUnavailable _) {
            return refused(Refusal.of(Problem.LEDGER_UNAVAILABLE, "The ledger did not answer in time. Ask again."));
        } catch (RuntimeException | Error e) {
            LOG.failure(LogEvent.FAILED, e);
            return refused(Refusal.of(Problem.INTERNAL_ERROR, "The gateway failed. Ask again."));
        }
    }

    private Reply refused(Refusal refusal) {
        return writer.reply(
                new Answer.Refused(refusal), AnswerWriter.Marks.NONE, "urn:uuid:" + UUID.randomUUID());
    }
}

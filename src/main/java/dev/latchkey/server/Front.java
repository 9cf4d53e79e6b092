package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.Metrics;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Takes each call in and sees its answer out: counts it, maps what was thrown, once and for all, and writes its line in
/// the log. Safe for any number of threads.
final class Front {

    private static final Log LOG = Log.of(Front.class);

    private final CallHandler handler;
    private final Drain drain;
    private final Metrics metrics;
    private final Clocks clocks;
    private final AnswerWriter writer = new AnswerWriter();

    Front(CallHandler handler, Drain drain, Metrics metrics, Clocks clocks) {
        this.handler = handler;
        this.drain = drain;
        this.metrics = metrics;
        this.clocks = clocks;
    }

    void handle(Context context) {
        long start = clocks.nanos();
        CallHandler.Course course = new CallHandler.Course();
        try (Drain.Visit _ = drain.enter()) {
            Exchange exchange = new Exchange(context);
            String instance = "urn:uuid:" + UUID.randomUUID();
            Answer answer = answer(exchange, course, instance);
            if (answer != null) {
                Reply reply = writer.reply(answer, course.marks(), instance);
                send(exchange, allowing(reply, answer), course);
                told(answer, reply, course, instance, clocks.nanos() - start);
            }
        }
    }

    private @Nullable Answer answer(
            Exchange exchange, CallHandler.Course course, String instance) {
        if (drain.isRefusing()) {
            return refused(Problem.DRAINING, "This replica is shutting down. Call again with the same key.");
        }
        try {
            return handler.answer(exchange, course);
        } catch (Refusing e) {
            return new Answer.Refused(e.refusal());
        } catch (LedgerUnavailable e) {
            LOG.failure(LogEvent.LEDGER_LOST, e, "instance", instance);
            return refused(
                    Problem.LEDGER_UNAVAILABLE, "The ledger cannot be reached. Call again with the same key.");
        } catch (RuntimeException | Error e) {
            LOG.failure(LogEvent.FAILED, e, "instance", instance);
            return refused(Problem.INTERNAL_ERROR, "The gateway failed. Call again with the same key.");
        }
    }

    private static Answer refused(Problem problem, String detail) {
        return new Answer.Refused(Refusal.of(problem, detail));
    }

    private static Reply allowing(Reply reply, Answer answer) {
        boolean method = answer instanceof Answer.Refused refused
                && refused.refusal().problem() == Problem.METHOD_NOT_ALLOWED;
        return method
                ? new Reply(reply.status(), reply.headers().plus("Allow", CallHandler.ALLOW), reply.body(),
                        reply.held())
                : reply;
    }

    private void send(Exchange exchange, Reply reply, CallHandler.Course course) {
        try {
            // After CONNECT nothing but a tunnel could follow.
            exchange.send(reply, drain.isLeaving() || exchange.method().equals("CONNECT"));
        } catch (IOException e) {
            // Recorded or not, the forward has ended by its own rules: who hangs up changes nothing.
            LOG.info(reply.held() == null ? LogEvent.CALLER_GONE : LogEvent.ANSWER_CUT, "route", route(course));
            metrics.count(Metrics.Event.CALLER_GONE, route(course));
        }
    }

    private void told(Answer answer, Reply reply, CallHandler.Course course, String instance, long nanos) {
        String kind = kind(answer);
        metrics.called(route(course), kind, reply.status(), nanos);
        Refusal refusal = answer instanceof Answer.Refused refused ? refused.refusal() : null;
        if (refusal == null && !course.keyed) {
            return;
        }
        LOG.info(
                course.key == null ? LogEvent.REFUSED : LogEvent.CALL,
                "entry", entry(course),
                "client", course.caller == null ? null : course.caller.name(),
                "route", course.door == null ? null : course.door.name(),
                "answer", kind,
                "replayed", "replay".equals(kind),
                "forwarded",
                refusal == null ? Boolean.toString(!"replay".equals(kind)) : refusal.forwarded().wireName(),
                "status", reply.status(),
                "instance", refusal == null ? null : instance,
                "millis", nanos / 1_000_000);
    }

    static String kind(Answer answer) {
        return switch (answer) {
            case Answer.Delivered delivered -> delivered.replayed() ? "replay" : "fresh";
            case Answer.Streamed _ -> "streamed";
            case Answer.Refused refused -> refused.refusal().problem().slug();
        };
    }

    private static @Nullable String entry(CallHandler.Course course) {
        return course.caller == null || course.key == null
                ? null
                : EntryId.of(course.caller.oldestName(), course.key).toString();
    }

    private static String route(CallHandler.Course course) {
        return course.door == null ? Metrics.NO_ROUTE : course.door.name();
    }
}

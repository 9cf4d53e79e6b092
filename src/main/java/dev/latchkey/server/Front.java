package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Takes each call in and sees its answer out, and writes its line in the log. Safe for any number of threads.
final class Front {

    private static final Log LOG = Log.of(Front.class);

    private final CallHandler handler;
    private final Drain drain;
    private final Answers answers;
    private final Clocks clocks;

    Front(CallHandler handler, Drain drain, Answers answers, Clocks clocks) {
        this.handler = handler;
        this.drain = drain;
        this.answers = answers;
        this.clocks = clocks;
    }

    void handle(Context context) {
        long start = clocks.nanos();
        CallHandler.Course course = new CallHandler.Course();
        try (Drain.Visit _ = drain.enter()) {
            Exchange exchange = new Exchange(context);
            String instance = "urn:uuid:" + UUID.randomUUID();
            Answer answer = answers.of(() -> handler.answer(exchange, course), instance);
            if (answer != null) {
                Reply reply = answers.reply(answer, course, instance);
                send(exchange, reply, course);
                told(answer, reply, course, instance, clocks.nanos() - start);
            }
        }
    }

    private void send(Exchange exchange, Reply reply, CallHandler.Course course) {
        try {
            // After CONNECT nothing but a tunnel could follow.
            exchange.send(reply, drain.isLeaving() || exchange.method().equals("CONNECT"));
        } catch (IOException e) {
            // Recorded or not, the forward has ended by its own rules: who hangs up changes nothing.
            LOG.info(reply.open() == null ? LogEvent.CALLER_GONE : LogEvent.ANSWER_CUT, "route", Answers.route(course));
            answers.countGone(course);
        }
    }

    private void told(Answer answer, Reply reply, CallHandler.Course course, String instance, long nanos) {
        String kind = Answers.kind(answer);
        answers.count(answer, reply.status(), course, nanos);
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

    private static @Nullable String entry(CallHandler.Course course) {
        return course.caller == null || course.key == null
                ? null
                : EntryId.of(course.caller.oldestName(), course.key).toString();
    }
}

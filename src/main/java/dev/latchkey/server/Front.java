package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.UUID;

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
                long nanos = clocks.nanos() - start;
                answers.count(answer, reply.status(), course, nanos);
                CallLog.tell(answer, reply.status(), course, instance, nanos);
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
}

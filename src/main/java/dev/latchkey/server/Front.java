package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.CutBody;
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
            course.trace = answers.begin(exchange.headers(), exchange.method());
            Instance instance = new Instance();
            Answer answer = answers.of(() -> handler.answer(exchange, course), instance);
            if (answer == null) {
                answers.over(course);
            } else {
                String named = answer instanceof Answer.Refused ? instance.toString() : "";
                Reply reply = answers.reply(answer, course, named);
                send(exchange, reply, course);
                long nanos = clocks.nanos() - start;
                answers.over(answer, reply.status(), course, named, nanos);
            }
        }
    }

    /// Names a call in the log, and its refusal. Made when somebody asks: the machine's randomness is behind one lock.
    private static final class Instance {
        private @Nullable String text;

        @Override
        public String toString() {
            String known = text;
            if (known == null) {
                known = "urn:uuid:" + UUID.randomUUID();
                text = known;
            }
            return known;
        }
    }

    private void send(Exchange exchange, Reply reply, CallHandler.Course course) {
        try {
            // After CONNECT nothing but a tunnel could follow.
            exchange.send(reply, drain.isLeaving() || exchange.method().equals("CONNECT"));
        } catch (CutBody e) {
            LOG.info(LogEvent.ANSWER_CUT, "route", Answers.route(course));
        } catch (IOException e) {
            // Recorded or not, the forward has ended by its own rules: who hangs up changes nothing.
            LOG.info(LogEvent.CALLER_GONE, "route", Answers.route(course));
            answers.countGone(course);
        }
    }
}

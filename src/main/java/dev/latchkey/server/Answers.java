package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.telemetry.CallEnd;
import dev.latchkey.telemetry.Event;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.Metrics;
import dev.latchkey.telemetry.Trace;
import dev.latchkey.telemetry.Traces;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What every call comes to, alone or in a batch: maps what was thrown, once and for all, and counts. Safe for any number
/// of threads.
final class Answers {

    private static final Log LOG = Log.of(Answers.class);

    private final Drain drain;
    private final Metrics metrics;
    private final Traces traces;
    private final AnswerWriter writer = new AnswerWriter();

    Answers(Drain drain, Metrics metrics, Traces traces) {
        this.drain = drain;
        this.metrics = metrics;
        this.traces = traces;
    }

    /// A call came.
    ///
    /// @param headers its own
    Trace begin(Headers headers, String method) {
        return traces.begin(headers, method, CallHandler.METHODS.contains(method));
    }

    /// The answer, whatever becomes of the call; null where the call itself has none.
    ///
    /// @param instance its text names this call in the log
    @Nullable
    Answer of(Supplier<@Nullable Answer> call, Object instance) {
        if (drain.isRefusing()) {
            return new Answer.Refused(draining());
        }
        try {
            return call.get();
        } catch (Refusing e) {
            return new Answer.Refused(e.refusal());
        } catch (LedgerUnavailable e) {
            LOG.failure(LogEvent.LEDGER_LOST, e, "instance", instance);
            return refused(
                    Problem.LEDGER_UNAVAILABLE, "The ledger did not answer in time. Call again with the same key.");
        } catch (RuntimeException | Error e) {
            LOG.failure(LogEvent.FAILED, e, "instance", instance);
            return refused(Problem.INTERNAL_ERROR, "The gateway failed. Call again with the same key.");
        }
    }

    static Refusal draining() {
        return Refusal.of(Problem.DRAINING, "This replica is shutting down. Call again with the same key.");
    }

    /// How it is said.
    Reply reply(Answer answer, CallHandler.Course course, String instance) {
        Reply reply = writer.reply(answer, course.marks(), instance);
        boolean method = answer instanceof Answer.Refused refused
                && refused.refusal().problem() == Problem.METHOD_NOT_ALLOWED;
        return method
                ? new Reply(reply.status(), reply.headers().plus("Allow", CallHandler.ALLOW), reply.body(),
                        reply.open())
                : reply;
    }

    /// Counts an answer, writes its line in the log, and ends its trace.
    ///
    /// @param instance names a refusal, in its problem document too
    /// @param nanos from the call's first header field to the answer's last byte
    void over(Answer answer, int status, CallHandler.Course course, String instance, long nanos) {
        String kind = kind(answer);
        metrics.called(route(course), kind, status, nanos);
        Trace trace = course.trace;
        if (trace != null && trace.own() >= 0) {
            metrics.added(route(course), trace.own());
        }
        CallEnd end = CallLog.end(answer, kind, status, course);
        CallLog.tell(end, course, answer instanceof Answer.Refused ? instance : null, nanos);
        if (trace != null) {
            trace.end(end);
        }
    }

    /// The caller left before its request was whole: there is no answer, and nothing to count.
    void over(CallHandler.Course course) {
        if (course.trace != null) {
            course.trace.end(CallLog.end(course, "caller-gone", "false", 0));
        }
    }

    /// Counts a caller who left before its answer.
    void countGone(CallHandler.Course course) {
        metrics.count(Event.CALLER_GONE, route(course));
    }

    static String kind(Answer answer) {
        return switch (answer) {
            case Answer.Delivered delivered -> delivered.replayed() ? "replay" : "fresh";
            case Answer.Streamed _ -> "streamed";
            case Answer.Refused refused -> refused.refusal().problem().slug();
        };
    }

    static String route(CallHandler.Course course) {
        return course.door == null ? Metrics.NO_ROUTE : course.door.name();
    }

    private static Answer refused(Problem problem, String detail) {
        return new Answer.Refused(Refusal.of(problem, detail));
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.HeldClaims;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import org.jspecify.annotations.Nullable;

/// The line that each call with a key, and each refusal, leaves in the log: whose, where and how it was answered, and
/// neither key nor body. Safe for any number of threads.
final class CallLog {

    private static final Log LOG = Log.of(CallLog.class);

    private CallLog() {}

    /// @param instance names a refusal, in its problem document too
    /// @param nanos from the call's first header field on
    static void tell(Answer answer, int status, CallHandler.Course course, String instance, long nanos) {
        String kind = Answers.kind(answer);
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
                refusal == null ? Boolean.toString(isForwarded(kind, course)) : refusal.forwarded().wireName(),
                "status", status,
                "instance", refusal == null ? null : instance,
                "millis", nanos / 1_000_000);
    }

    /// What is claimed by its caller is not forwarded.
    private static boolean isForwarded(String kind, CallHandler.Course course) {
        return !"replay".equals(kind) && !HeldClaims.ROUTE.equals(Answers.route(course));
    }

    private static @Nullable String entry(CallHandler.Course course) {
        return course.caller == null || course.key == null
                ? null
                : EntryId.of(course.caller.oldestName(), course.key).toString();
    }
}

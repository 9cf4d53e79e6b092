package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.Door;
import dev.latchkey.gateway.HeldClaims;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.telemetry.CallEnd;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.Trace;
import org.jspecify.annotations.Nullable;

/// The line that each call with a key, and each refusal, leaves in the log: whose, where and how it was answered, and
/// neither key nor body. Safe for any number of threads.
final class CallLog {

    private static final Log LOG = Log.of(CallLog.class);

    private CallLog() {}

    /// What is told of an answered call.
    static CallEnd end(Answer answer, String kind, int status, CallHandler.Course course) {
        String forwarded = answer instanceof Answer.Refused refused
                ? refused.refusal().forwarded().wireName()
                : Boolean.toString(isForwarded(kind, course));
        return end(course, kind, forwarded, status);
    }

    static CallEnd end(CallHandler.Course course, String kind, String forwarded, int status) {
        Door door = course.door;
        return new CallEnd(
                entry(course), course.caller == null ? null : course.caller.name(), door == null ? null : door.name(),
                door == null ? null : door.prefix(), kind, forwarded, status);
    }

    /// @param instance names a refusal, in its problem document too; null: it is none
    /// @param nanos from the call's first header field on
    static void tell(CallEnd end, CallHandler.Course course, @Nullable String instance, long nanos) {
        if (instance == null && !course.keyed) {
            return;
        }
        Trace trace = course.trace;
        LOG.info(
                course.key == null ? LogEvent.REFUSED : LogEvent.CALL,
                "entry", end.entry(),
                "client", end.client(),
                "route", end.route(),
                "answer", end.answer(),
                "replayed", end.replayed(),
                "forwarded", end.forwarded(),
                "status", end.status(),
                "instance", instance,
                "millis", nanos / 1_000_000,
                "claim_micros", micros(trace, Trace.Part.CLAIM),
                "forward_micros", micros(trace, Trace.Part.FORWARD),
                "record_micros", micros(trace, Trace.Part.RECORD),
                "added_micros", trace == null || trace.own() < 0 ? null : trace.own() / 1_000,
                "trace", trace == null ? null : trace.id());
    }

    /// Null: the call had no such part.
    private static @Nullable Long micros(@Nullable Trace trace, Trace.Part part) {
        long nanos = trace == null ? 0 : trace.nanos(part);
        return nanos == 0 ? null : nanos / 1_000;
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

package dev.latchkey.telemetry;

import dev.latchkey.http.Headers;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Begins the trace of each call, or goes on with its caller's (W3C Trace Context), whether or not anybody takes the spans.
/// Safe for any number of threads.
public final class Traces implements AutoCloseable {

    private static final String UNKNOWN_METHOD = "_OTHER";
    private static final String SAMPLED = "01";

    private final LongSupplier nanos;
    private final LongSupplier random;
    private final @Nullable SpanSending sending;

    private Traces(LongSupplier nanos, LongSupplier random, @Nullable SpanSending sending) {
        this.nanos = nanos;
        this.random = random;
        this.sending = sending;
    }

    /// No spans.
    ///
    /// @param nanos a monotonic clock
    /// @param random trace and span ids
    public static Traces unsent(LongSupplier nanos, LongSupplier random) {
        return new Traces(nanos, random, null);
    }

    /// Spans go to a collector.
    public static Traces sent(LongSupplier nanos, LongSupplier random, Collector collector, Metrics metrics) {
        return new Traces(nanos, random, SpanSending.to(collector, metrics));
    }

    /// A call came.
    ///
    /// @param asked its header fields
    /// @param method its method; one that nobody knows stays out of the spans
    /// @param known whether the method is one of HTTP's own
    public Trace begin(Headers asked, String method, boolean known) {
        if (sending == null) {
            Optional<TraceParent> caller = Optional.ofNullable(
                    TraceParent.parse(asked.first("traceparent").orElse(null)));
            TraceParent place = caller.orElseGet(
                    () -> new TraceParent(Trace.hex(random) + Trace.hex(random), "", SAMPLED));
            return new Trace(nanos, random, place, caller.isPresent(), null);
        }
        boolean continued = TraceParent.parse(asked.first("traceparent").orElse(null)) != null;
        CallSpan span = sending.begin(asked, known ? method : UNKNOWN_METHOD);
        return new Trace(nanos, random, span.place(), continued, span);
    }

    /// Sends what is not sent yet, for a few seconds at most.
    @Override
    public void close() {
        if (sending != null) {
            sending.close();
        }
    }
}

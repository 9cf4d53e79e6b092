package dev.latchkey.telemetry;

import io.opentelemetry.api.trace.Span;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One call, as those who look see it: its place in a trace, how long its parts took and, where traces are sent, its spans.
/// A forward may outlive its caller, so it is safe for any number of threads; each part is begun by one at a time.
public final class Trace {

    private final LongSupplier nanos;
    private final LongSupplier random;
    private final TraceParent parent;
    private final boolean continued;
    private final @Nullable CallSpan span;
    private final AtomicReferenceArray<@Nullable Step> latest = new AtomicReferenceArray<>(Part.ALL);
    private long waited;
    private long own = -1;

    /// What takes its time.
    public enum Part {
        CLAIM(0), FORWARD(1), RECORD(2);

        private static final int ALL = 3;
        private final int place;

        Part(int place) {
            this.place = place;
        }
    }

    /// @param parent this call's own place: what a forward is a child of
    /// @param continued whether the caller began the trace
    /// @param span null: no traces are sent
    Trace(LongSupplier nanos, LongSupplier random, TraceParent parent, boolean continued, @Nullable CallSpan span) {
        this.nanos = nanos;
        this.random = random;
        this.parent = parent;
        this.continued = continued;
        this.span = span;
    }

    /// Names the trace, in logs too.
    public String id() {
        return parent.trace();
    }

    /// Whether the caller began the trace; then its `tracestate` goes on, too.
    public boolean isContinued() {
        return continued;
    }

    /// Begins a part.
    public Step begin(Part part) {
        return begin(part, span == null ? null : span.child(part));
    }

    /// Begins a forward.
    ///
    /// @param route its name
    public Step beginForward(String route, String method) {
        return begin(Part.FORWARD, span == null ? null : span.forward(route, method));
    }

    private Step begin(Part part, @Nullable Span child) {
        Step step = new Step(child, nanos(part));
        latest.set(part.place, step);
        return step;
    }

    /// How long a part took so far, in nanoseconds; 0: it was not begun.
    public long nanos(Part part) {
        Step step = latest.get(part.place);
        return step == null ? 0 : step.nanos();
    }

    /// The monotonic clock, in nanoseconds.
    public long now() {
        return nanos.getAsLong();
    }

    /// The call waited for the forward of another. By the call's own thread, as what follows.
    ///
    /// @param since by [#now]
    public void waited(long since) {
        waited += now() - since;
    }

    /// There is an answer, or an end without one.
    ///
    /// @param since by [#now]: when the request was whole
    public void answered(long since) {
        own = Math.max(0, own) + Math.max(0, now() - since - nanos(Part.FORWARD) - waited);
    }

    /// What the gateway itself added to the call, in nanoseconds: from the whole request to its answer, without the forward
    /// and without waiting for another's. Negative: it did not come so far.
    public long own() {
        return own;
    }

    /// The call is over.
    public void end(CallEnd end) {
        if (span != null) {
            span.end(end, waited);
        }
    }

    /// One part of a call, under way until it is closed.
    public final class Step implements AutoCloseable {
        private final long before;
        private final long begin = nanos.getAsLong();
        private final @Nullable Span child;
        private volatile long took = -1;

        private Step(@Nullable Span child, long before) {
            this.child = child;
            this.before = before;
        }

        /// The field `traceparent` that goes downstream with this.
        public String traceparent() {
            return child == null
                    ? "00-" + parent.trace() + "-" + hex(random) + "-" + parent.flags()
                    : CallSpan.traceparent(child);
        }

        /// What came of it.
        ///
        /// @param result such as `won`, `recorded`, `unknown`
        /// @param status of a response; 0: none
        /// @param error why it failed, in a word; null: it did not
        public void came(String result, int status, @Nullable String error) {
            if (child != null) {
                CallSpan.came(child, result, status, error);
            }
        }

        private long nanos() {
            long done = took;
            return before + (done < 0 ? now() - begin : done);
        }

        @Override
        public void close() {
            took = Math.max(0, now() - begin);
            if (child != null) {
                child.end();
            }
        }
    }

    static String hex(LongSupplier random) {
        long number = random.getAsLong();
        return HexFormat.of().toHexDigits(number == 0 ? 1 : number);
    }
}

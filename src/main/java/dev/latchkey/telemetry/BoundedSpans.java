package dev.latchkey.telemetry;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.concurrent.atomic.AtomicInteger;

/// Lets no more spans wait than there is room for, and counts those that are lost by it: the library's own queue drops them
/// in silence. Safe for any number of threads.
final class BoundedSpans implements SpanProcessor {

    private final SpanProcessor queue;
    private final int most;
    private final AtomicInteger waiting;
    private final Metrics metrics;

    /// @param queue holds as many at least
    /// @param waiting of them; whoever takes some out counts them down
    BoundedSpans(SpanProcessor queue, int most, AtomicInteger waiting, Metrics metrics) {
        this.queue = queue;
        this.most = most;
        this.waiting = waiting;
        this.metrics = metrics;
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {
        queue.onStart(parent, span);
    }

    @Override
    public boolean isStartRequired() {
        return queue.isStartRequired();
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (!span.getSpanContext().isSampled()) {
            return;
        }
        if (waiting.incrementAndGet() > most) {
            waiting.decrementAndGet();
            metrics.spans(false, 1);
        } else {
            queue.onEnd(span);
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return queue.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return queue.forceFlush();
    }
}

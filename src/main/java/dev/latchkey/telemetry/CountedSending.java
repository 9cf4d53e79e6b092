package dev.latchkey.telemetry;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Level;
import java.util.logging.Logger;

/// Counts the spans that arrived and those that were lost, and says once that the collector is away, and once that it is
/// back. Safe for any number of threads.
final class CountedSending implements SpanExporter {

    private static final Log LOG = Log.of(CountedSending.class);
    /// Would quote what a collector answers, by another way than our logs; held, since loggers that nobody holds are forgotten.
    private static final Logger LIBRARY = Logger.getLogger("io.opentelemetry");

    private final SpanExporter exporter;
    private final Metrics metrics;
    private final AtomicInteger waiting;
    private final AtomicBoolean away = new AtomicBoolean();

    /// @param waiting spans that wait to be sent
    CountedSending(SpanExporter exporter, AtomicInteger waiting, Metrics metrics) {
        this.exporter = exporter;
        this.waiting = waiting;
        this.metrics = metrics;
        LIBRARY.setLevel(Level.OFF);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        waiting.addAndGet(-count);
        CompletableResultCode result = exporter.export(spans);
        result.whenComplete(() -> {
            metrics.spans(result.isSuccess(), count);
            if (away.getAndSet(!result.isSuccess()) == result.isSuccess()) {
                say(result.isSuccess());
            }
        });
        return result;
    }

    private static void say(boolean back) {
        if (back) {
            LOG.info(LogEvent.TRACES_BACK);
        } else {
            LOG.warn(LogEvent.TRACES_LOST);
        }
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}

package dev.latchkey.telemetry;

import dev.latchkey.http.Headers;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Sends spans to a collector from a thread of its own: where that fails, hangs or cannot keep up, spans are lost and calls
/// do not notice. Safe for any number of threads.
final class SpanSending implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long LAST_SECONDS = 3;
    private static final int MOST_WAITING = 2048;

    private final SdkTracerProvider provider;
    private final Tracer tracer;
    private final Map<String, URI> downstreams;

    private SpanSending(SdkTracerProvider provider, String version, Map<String, URI> downstreams) {
        this.provider = provider;
        this.tracer = provider.tracerBuilder("dev.latchkey").setInstrumentationVersion(version).build();
        this.downstreams = Map.copyOf(downstreams);
    }

    static SpanSending to(Collector collector, Metrics metrics) {
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
                .setEndpoint(collector.traces().toString())
                .setHeaders(collector.headers())
                .setTimeout(PATIENCE)
                .setConnectTimeout(PATIENCE)
                // Later spans tell as much; what waits behind a retry would be lost instead.
                .setRetryPolicy(null)
                .build();
        return to(exporter, MOST_WAITING, collector, metrics);
    }

    /// @param most spans that may wait to be sent
    static SpanSending to(SpanExporter exporter, int most, Collector collector, Metrics metrics) {
        AtomicInteger waiting = new AtomicInteger();
        SpanProcessor queue = BatchSpanProcessor.builder(new CountedSending(exporter, waiting, metrics))
                .setScheduleDelay(Duration.ofSeconds(1))
                .setExporterTimeout(PATIENCE)
                .setMaxQueueSize(MOST_WAITING)
                .build();
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(collector.share())))
                .setResource(Resource.create(Attributes.builder()
                        .put("service.name", "latchkey")
                        .put("service.version", collector.version())
                        .put("service.instance.id", UUID.randomUUID().toString())
                        .build()))
                .addSpanProcessor(new BoundedSpans(queue, most, waiting, metrics))
                .build();
        return new SpanSending(provider, collector.version(), collector.downstreams());
    }

    CallSpan begin(Headers asked, String method) {
        Context caller = W3CTraceContextPropagator.getInstance().extract(Context.root(), asked, SpanSending::field);
        return new CallSpan(tracer, downstreams, caller, method);
    }

    @Override
    public void close() {
        provider.shutdown().join(LAST_SECONDS, TimeUnit.SECONDS);
    }

    private static @Nullable String field(@Nullable Headers asked, String name) {
        if (asked == null || name.equals("traceparent")) {
            return asked == null ? null : asked.first(name).orElse(null);
        }
        List<String> lines = asked.all(name);
        return lines.isEmpty() ? null : String.join(",", lines);
    }
}

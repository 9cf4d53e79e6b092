package dev.latchkey.telemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The spans of one call, named and marked by OpenTelemetry's conventions for HTTP. No path, query, key or body is in them:
/// a path may name people. Safe for any number of threads.
final class CallSpan {

    private static final AttributeKey<String> METHOD = AttributeKey.stringKey("http.request.method");
    private static final AttributeKey<Long> STATUS = AttributeKey.longKey("http.response.status_code");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    private final Tracer tracer;
    private final Map<String, URI> downstreams;
    private final Span span;
    private final Context context;
    private final String method;

    /// @param downstreams by the route's name
    CallSpan(Tracer tracer, Map<String, URI> downstreams, Context parent, String method) {
        this.tracer = tracer;
        this.downstreams = downstreams;
        this.method = method;
        this.span = tracer.spanBuilder(method).setParent(parent).setSpanKind(SpanKind.SERVER)
                .setAttribute(METHOD, method).startSpan();
        this.context = parent.with(span);
    }

    /// This call's own place.
    TraceParent place() {
        SpanContext at = span.getSpanContext();
        return new TraceParent(at.getTraceId(), at.getSpanId(), at.getTraceFlags().asHex());
    }

    static String traceparent(Span span) {
        SpanContext at = span.getSpanContext();
        return "00-" + at.getTraceId() + "-" + at.getSpanId() + "-" + at.getTraceFlags().asHex();
    }

    Span child(Trace.Part part) {
        return builder(part.name().toLowerCase(Locale.ROOT)).startSpan();
    }

    Span forward(String route, String forwarded) {
        SpanBuilder builder = builder(forwarded).setSpanKind(SpanKind.CLIENT).setAttribute(METHOD, forwarded);
        URI to = downstreams.get(route);
        if (to != null) {
            builder.setAttribute("server.address", to.getHost()).setAttribute("server.port", port(to));
        }
        return builder.setAttribute("latchkey.route", route).startSpan();
    }

    private SpanBuilder builder(String name) {
        return tracer.spanBuilder(name).setParent(context);
    }

    private static long port(URI to) {
        boolean secure = "https".equals(to.getScheme());
        return to.getPort() >= 0 ? to.getPort() : secure ? 443 : 80;
    }

    static void came(Span child, String result, int status, @Nullable String error) {
        child.setAttribute("latchkey.result", result);
        if (status > 0) {
            child.setAttribute(STATUS, status);
        }
        String failed = error == null && status >= 400 ? Integer.toString(status) : error;
        if (failed != null) {
            child.setAttribute(ERROR, failed).setStatus(StatusCode.ERROR);
        }
    }

    /// @param waited nanoseconds spent waiting for the forward of another call
    void end(CallEnd end, long waited) {
        if (end.prefix() != null) {
            span.updateName(method + " " + end.prefix());
            set("http.route", end.prefix());
        }
        set("latchkey.route", end.route());
        set("latchkey.entry.id", end.entry());
        set("latchkey.client", end.client());
        set("latchkey.answer", end.answer());
        set("latchkey.forwarded", end.forwarded());
        span.setAttribute("latchkey.replayed", end.replayed());
        span.setAttribute(STATUS, end.status());
        if (waited > 0) {
            span.setAttribute("latchkey.waited.milliseconds", TimeUnit.NANOSECONDS.toMillis(waited));
        }
        if (end.status() >= 500) {
            span.setAttribute(ERROR, Integer.toString(end.status())).setStatus(StatusCode.ERROR);
        }
        span.end();
    }

    private void set(String name, @Nullable String value) {
        if (value != null) {
            span.setAttribute(name, value);
        }
    }
}

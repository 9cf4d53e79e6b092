package dev.latchkey.gateway;

import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.telemetry.Trace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Makes the header fields of a forward from those of the call (RFC 9110 §7.6, RFC 7239, W3C Trace Context). Safe for any
/// number of threads.
final class ForwardHeaders {

    private static final Set<String> NOT_FORWARDED = Set.of(
            "connection", "keep-alive", "proxy-connection", "proxy-authenticate", "proxy-authorization", "te",
            "trailer",
            "transfer-encoding", "upgrade", "http2-settings", "content-length", "host", "expect", "authorization",
            "cookie",
            "idempotency-key", "latchkey-token", "accept-encoding", "traceparent");
    private static final Pattern FORWARDED_TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private ForwardHeaders() {}

    /// The fields to send.
    ///
    /// @param own the route's own, which replace the caller's of the same name
    /// @param keyHeader under which name the downstream key goes
    /// @param key its field value; null: none
    /// @param trace the call's
    /// @param traceparent the forward's own place in it
    static Headers make(
            Headers asked, Origin origin, Headers own, String keyHeader, @Nullable String key, Trace trace,
            String traceparent) {
        Set<String> gone = new HashSet<>(NOT_FORWARDED);
        gone.addAll(asked.namedByConnection());
        own.forEach(line -> gone.add(line.lowerCaseName()));
        if (key != null) {
            gone.add(keyHeader.toLowerCase(Locale.ROOT));
        }
        if (!trace.isContinued()) {
            gone.add("tracestate");
        }
        List<Header> lines = new ArrayList<>(asked.only(line -> !gone.contains(line.lowerCaseName())).lines());
        lines.add(new Header("Accept-Encoding", "identity"));
        lines.add(new Header("Via", origin.protocol() + " latchkey"));
        addForwarded(lines, asked, origin);
        lines.add(new Header("traceparent", traceparent));
        own.forEach(lines::add);
        if (key != null) {
            lines.add(new Header(keyHeader, key));
        }
        return new Headers(lines);
    }

    /// Appends to what the caller sent, in one line: a list in the order of its hops (RFC 9110 §5.3).
    private static void addForwarded(List<Header> lines, Headers asked, Origin origin) {
        boolean v6 = origin.remoteAddress().contains(":");
        String node = v6 ? "\"[" + origin.remoteAddress() + "]\"" : origin.remoteAddress();
        String host = origin.host().isEmpty() ? "" : ";host=" + quoted(origin.host());
        append(lines, asked, "Forwarded", "for=" + node + host + ";proto=" + origin.scheme());
        append(lines, asked, "X-Forwarded-For", origin.remoteAddress());
        append(lines, asked, "X-Forwarded-Proto", origin.scheme());
        if (!origin.host().isEmpty()) {
            append(lines, asked, "X-Forwarded-Host", origin.host());
        }
    }

    private static void append(List<Header> lines, Headers asked, String name, String value) {
        lines.removeIf(line -> line.is(name));
        String before = String.join(", ", asked.all(name));
        lines.add(new Header(name, before.isEmpty() ? value : before + ", " + value));
    }

    private static String quoted(String text) {
        return FORWARDED_TOKEN.matcher(text).matches()
                ? text
                : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}

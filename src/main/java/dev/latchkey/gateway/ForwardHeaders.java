package dev.latchkey.gateway;

import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
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
    private static final Pattern TRACEPARENT =
            Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
    private static final Pattern FORWARDED_TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private final LongSupplier random;

    ForwardHeaders(LongSupplier random) {
        this.random = random;
    }

    /// The fields to send.
    ///
    /// @param own the route's own, which replace the caller's of the same name
    /// @param keyHeader under which name the downstream key goes
    /// @param key its field value; null: none
    Headers make(Headers asked, Origin origin, Headers own, String keyHeader, @Nullable String key) {
        Set<String> gone = new HashSet<>(NOT_FORWARDED);
        gone.addAll(asked.namedByConnection());
        own.forEach(line -> gone.add(line.lowerCaseName()));
        if (key != null) {
            gone.add(keyHeader.toLowerCase(Locale.ROOT));
        }
        Optional<String> parent = asked.first("traceparent").filter(ForwardHeaders::isValidParent);
        if (parent.isEmpty()) {
            gone.add("tracestate");
        }
        List<Header> lines = new ArrayList<>(asked.only(line -> !gone.contains(line.lowerCaseName())).lines());
        lines.add(new Header("Accept-Encoding", "identity"));
        lines.add(new Header("Via", origin.protocol() + " latchkey"));
        addForwarded(lines, asked, origin);
        lines.add(new Header("traceparent", child(parent)));
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

    private static boolean isValidParent(String value) {
        var parts = TRACEPARENT.matcher(value);
        return parts.matches() && !"ff".equals(parts.group(1)) && !parts.group(2).equals("0".repeat(32))
                && !parts.group(3).equals("0".repeat(16)) && (parts.group(5) == null || !"00".equals(parts.group(1)));
    }

    private String child(Optional<String> parent) {
        String span = hex();
        return parent.map(value -> "00-" + value.substring(3, 35) + "-" + span + "-" + value.substring(53, 55))
                .orElseGet(() -> "00-" + hex() + hex() + "-" + span + "-01");
    }

    private String hex() {
        long number = random.getAsLong();
        return HexFormat.of().toHexDigits(number == 0 ? 1 : number);
    }
}

package dev.latchkey.downstream;

import dev.latchkey.gateway.Forward;
import dev.latchkey.http.Header;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The first bytes of a request: request line and field lines (RFC 9112 §3, §5), one byte a character.
///
/// `Content-Length` is the only framing ever sent; `Expect`, `Upgrade` and the rest that asks for a conversation about the
/// connection are this client's and it wants none.
final class RequestHead {

    private static final Set<String> OURS = Set.of(
            "host",
            "connection",
            "content-length",
            "transfer-encoding",
            "expect",
            "upgrade",
            "te",
            "trailer",
            "keep-alive",
            "proxy-connection",
            "http2-settings");

    private static final Set<String> ALWAYS_WITH_LENGTH = Set.of("POST", "PUT", "PATCH");

    private RequestHead() {}

    /// @throws NothingSent when a part of it would end its line or the head: such a request must never be written
    /// @param proxy whom the request is given to, with its target in absolute form (RFC 9112 §3.2.2), unless a tunnel leads
    ///     through; null: nobody
    static byte[] of(Forward forward, BaseUrl base, @Nullable EgressProxy proxy) throws NothingSent {
        EgressProxy given = base.tls() ? null : proxy;
        String path = base.target(forward.path(), forward.query());
        String target = given == null ? path : "http://" + base.authority() + path;
        if (!Syntax.isToken(forward.method()) || !Syntax.isTarget(path)) {
            throw new NothingSent("method or target cannot be written");
        }
        StringBuilder head = new StringBuilder(512);
        head.append(forward.method()).append(' ').append(target).append(" HTTP/1.1\r\n");
        line(head, "Host", base.authority());
        for (Header header : forward.headers()) {
            if (!OURS.contains(header.lowerCaseName())) {
                line(head, header.name(), header.value());
            }
        }
        String credentials = given == null ? null : given.credentials();
        if (credentials != null) {
            line(head, EgressProxy.FIELD, credentials);
        }
        int length = forward.body().length();
        if (length > 0 || ALWAYS_WITH_LENGTH.contains(forward.method())) {
            line(head, "Content-Length", Integer.toString(length));
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void line(StringBuilder head, String name, String value) throws NothingSent {
        if (!Syntax.isToken(name) || !Syntax.isValue(value)) {
            throw new NothingSent("a header field cannot be written");
        }
        head.append(name).append(": ").append(value).append("\r\n");
    }
}

package dev.latchkey.downstream;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The HTTP proxy on the way to a downstream. For `https` it makes a tunnel, and whatever fails before the handshake with
/// the downstream itself is over sent nothing. For `http` it gets the request itself: from the first byte on it may have
/// passed it on.
///
/// @param authorization the field value for it, asked for each time; null: it asks for none
public record EgressProxy(String host, int port, @Nullable Supplier<String> authorization) {

    static final String FIELD = "Proxy-Authorization";

    /// What asks for a tunnel.
    ///
    /// @throws NothingSent when the field value would end its line
    byte[] connect(BaseUrl base) throws NothingSent {
        String bracketed = base.host().contains(":") ? "[" + base.host() + "]" : base.host();
        String place = bracketed + ":" + base.port();
        StringBuilder head = new StringBuilder("CONNECT " + place + " HTTP/1.1\r\nHost: " + place + "\r\n");
        String value = credentials();
        if (value != null) {
            head.append(FIELD).append(": ").append(value).append("\r\n");
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /// @throws NothingSent when the field value would end its line
    @Nullable
    String credentials() throws NothingSent {
        String value = authorization == null ? null : authorization.get();
        if (value != null && !Syntax.isValue(value)) {
            throw new NothingSent("the proxy's credentials cannot be written");
        }
        return value;
    }

    /// Without the credentials.
    @Override
    public String toString() {
        return host + ":" + port;
    }
}

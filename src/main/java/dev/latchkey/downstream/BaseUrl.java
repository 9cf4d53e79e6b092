package dev.latchkey.downstream;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/// A route's `downstream.url`, taken apart once. Targets are put together as text: what the caller escaped stays escaped
/// as it was.
///
/// @param tls whether it is `https`
/// @param host name or address literal, without brackets
/// @param port never 0
/// @param authority the `Host` field's value
/// @param path empty, or begins with a slash
record BaseUrl(boolean tls, String host, int port, String authority, String path) {

    /// @throws IllegalArgumentException for anything but `http` or `https`, a host, and perhaps a port and a path
    static BaseUrl of(URI url) {
        boolean tls = "https".equalsIgnoreCase(url.getScheme());
        if (!tls && !"http".equalsIgnoreCase(url.getScheme())) {
            throw new IllegalArgumentException("a downstream's URL begins with http:// or https://");
        }
        String host = url.getHost();
        if (host == null || url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException(
                    "a downstream's URL has a host, perhaps a port and a path, and nothing else");
        }
        int usual = tls ? 443 : 80;
        int port = url.getPort() < 0 ? usual : url.getPort();
        String literal = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        return new BaseUrl(tls, literal, port, port == usual ? host : host + ":" + port, path);
    }

    /// The request target: this path, the one below it, and the query, byte for byte.
    String target(String below, @Nullable String query) {
        String joined = below.isEmpty() ? path : withoutLastSlash() + below;
        String whole = joined.isEmpty() ? "/" : joined;
        return query == null ? whole : whole + "?" + query;
    }

    private String withoutLastSlash() {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }
}

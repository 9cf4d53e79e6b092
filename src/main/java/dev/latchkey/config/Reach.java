package dev.latchkey.config;

import java.net.URI;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How a server is reached, besides its URL.
///
/// @param tls null: it is shown nothing, and trusted as the Java runtime does
/// @param proxy null: directly
public record Reach(@Nullable DownstreamTls tls, @Nullable ProxySettings proxy) {

    /// As it is.
    public static Reach usual() {
        return new Reach(null, null);
    }

    static Reach read(Section section) {
        DownstreamTls tls = section.has("tls") ? tls(section.section("tls")) : null;
        ProxySettings proxy = section.has("proxy") ? proxy(section.section("proxy")) : null;
        return new Reach(tls, proxy);
    }

    private static @Nullable DownstreamTls tls(Section section) {
        SecretText certificate = section.secret("certificate");
        SecretText key = section.secret("key");
        SecretText ca = section.secret("ca");
        return section.<@Nullable DownstreamTls>checked(() -> new DownstreamTls(certificate, key, ca), () -> null);
    }

    private static @Nullable ProxySettings proxy(Section section) {
        String host = section.required("host", "localhost", text -> text, "write the proxy's name or address");
        int port = section.required("port", 3128, Values::whole, "write the proxy's port");
        SecretText user = section.secret("user");
        SecretText password = section.secret("password");
        return section.<@Nullable ProxySettings>checked(
                () -> new ProxySettings(host, port, user, password), () -> null);
    }

    /// What does not go with the URL; null: all does.
    @Nullable
    String problemWith(URI url) {
        return tls != null && url.getScheme() != null && url.getScheme().toLowerCase(Locale.ROOT).equals("http")
                ? "the URL begins with http, so nothing of this would be used; write https there, or remove this"
                : null;
    }
}

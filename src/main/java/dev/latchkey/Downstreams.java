package dev.latchkey;

import dev.latchkey.config.DownstreamSettings;
import dev.latchkey.config.DownstreamTls;
import dev.latchkey.config.OAuth2Settings;
import dev.latchkey.config.ProxySettings;
import dev.latchkey.config.Reach;
import dev.latchkey.config.RouteSettings;
import dev.latchkey.config.SecretText;
import dev.latchkey.config.Settings;
import dev.latchkey.downstream.EgressProxy;
import dev.latchkey.downstream.Grant;
import dev.latchkey.downstream.StrictClient;
import dev.latchkey.downstream.Watchdog;
import dev.latchkey.downstream.WithToken;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Downstream;
import dev.latchkey.tls.LatestTls;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// Makes the clients of downstreams of settings.
final class Downstreams {

    /// At one token server at once; one is asked at a time.
    private static final int CONNECTIONS = 2;
    /// Far more than a token is long.
    private static final int LARGEST_ANSWER = 64 * 1024;

    private Downstreams() {}

    static Downstream of(RouteSettings route, Settings settings, Watchdog watchdog, Clocks clocks) {
        DownstreamSettings downstream = route.downstream();
        Downstream plain = client(
                new StrictClient.Settings(
                        downstream.url(), downstream.connectTimeout(), downstream.maxConcurrent(),
                        (int) settings.limits().responseBody(), downstream.deduplicates() != null),
                downstream.reach(), watchdog, clocks);
        OAuth2Settings oauth2 = downstream.oauth2();
        return oauth2 == null ? plain : withToken(route.name(), plain, oauth2, watchdog, clocks);
    }

    private static Downstream withToken(
            String route, Downstream plain, OAuth2Settings oauth2, Watchdog watchdog, Clocks clocks) {
        Downstream server = client(
                new StrictClient.Settings(oauth2.tokenUrl(), oauth2.timeout(), CONNECTIONS, LARGEST_ANSWER, true),
                oauth2.reach(), watchdog, clocks);
        Grant grant = new Grant(
                oauth2.clientId(), oauth2.clientSecret()::get, oauth2.clientAuth() == OAuth2Settings.ClientAuth.POST,
                oauth2.scope(), oauth2.audience(), oauth2.timeout());
        return new WithToken(route, plain, server, grant, clocks);
    }

    private static Downstream client(
            StrictClient.Settings settings, Reach reach, Watchdog watchdog, Clocks clocks) {
        return new StrictClient(settings, tls(reach.tls()), proxy(reach.proxy()), watchdog, clocks);
    }

    private static Supplier<SSLContext> tls(@Nullable DownstreamTls tls) {
        return tls == null ? LatestTls.usual() : new LatestTls(tls::texts, () -> tls.parts().context());
    }

    private static @Nullable EgressProxy proxy(@Nullable ProxySettings proxy) {
        if (proxy == null) {
            return null;
        }
        SecretText user = proxy.user();
        return new EgressProxy(proxy.host(), proxy.port(), user == null ? null : () -> basic(user, proxy.password()));
    }

    private static String basic(SecretText user, @Nullable SecretText password) {
        String pair = user.get() + ":" + (password == null ? "" : password.get());
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
}

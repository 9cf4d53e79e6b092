package dev.latchkey.server;

import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Calls;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.telemetry.Metrics;
import io.javalin.http.Context;
import java.util.Set;

/// The gateway's port: calls under the routes' prefixes, and the gateway's own pages beside them.
public final class GatewayServer implements AutoCloseable {

    /// First segments that belong to the gateway; settings refuse a route that claims one.
    public static final Set<String> RESERVED = Set.of("v1", "openapi.yaml", "openapi.json", "docs", "problems");

    private final Listener listener;

    private GatewayServer(Listener listener) {
        this.listener = listener;
    }

    /// Listens from now on.
    ///
    /// @param own what the gateway shows of itself and of the ledger
    public static GatewayServer start(
            GatewaySettings settings, Calls calls, OwnPages own, ByteBudget budget, Drain drain, Metrics metrics,
            Clocks clocks) {
        CallHandler handler = new CallHandler(
                settings.clients(), new Doors(settings.doors()), new BodyReader(settings.requestBody()), budget,
                settings.longestWait(), calls);
        Front front = new Front(handler, drain, metrics, clocks);
        Pages pages = new Pages(drain);
        return new GatewayServer(Listener.start(
                new Listener.Settings(settings.host(), settings.port(), settings.headerFields(), settings.idle()),
                routes -> {
                    routes.before(context -> {
                        if (!isOwn(context)) {
                            context.skipRemainingHandlers();
                            front.handle(context);
                        }
                    });
                    own.addTo(pages, routes);
                    pages.addRefusals(routes);
                }));
    }

    private static boolean isOwn(Context context) {
        String path = context.req().getRequestURI();
        if (!path.startsWith("/")) {
            return false;
        }
        int end = path.indexOf('/', 1);
        return RESERVED.contains(path.substring(1, end < 0 ? path.length() : end));
    }

    /// The port that it listens on.
    public int port() {
        return listener.port();
    }

    @Override
    public void close() {
        listener.close();
    }
}

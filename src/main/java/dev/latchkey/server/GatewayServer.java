package dev.latchkey.server;

import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Calls;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.telemetry.Metrics;
import dev.latchkey.telemetry.Traces;
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
            Traces traces, Clocks clocks) {
        CallHandler handler = new CallHandler(
                settings.clients(), new Doors(settings.doors()), new BodyReader(settings.requestBody()), budget,
                settings.longestWait(), calls);
        Answers answers = new Answers(drain, metrics, traces);
        Front front = new Front(handler, drain, answers, clocks);
        BatchPages batches =
                new BatchPages(settings.clients(), drain, parts(settings, handler, answers, budget, clocks));
        Pages pages = new Pages(drain);
        return new GatewayServer(Listener.start(
                new Listener.Settings(settings.host(), settings.port(), settings.headerFields(), settings.idle(),
                        settings.pace(),
                        settings.standing(), settings.tls()),
                routes -> {
                    routes.before(context -> {
                        if (!isOwn(context)) {
                            context.skipRemainingHandlers();
                            front.handle(context);
                        }
                    });
                    own.addTo(pages, routes);
                    batches.addTo(pages, routes);
                    pages.addRefusals(routes);
                },
                clocks));
    }

    private static Batch.Parts parts(
            GatewaySettings settings, CallHandler handler, Answers answers, ByteBudget budget, Clocks clocks) {
        BatchLimits limits = settings.batches();
        // Twice what a call may have: a body in Base64, or as text with its quotes escaped, and the members' names.
        long longest = 2 * (settings.requestBody() + settings.headerFields());
        return new Batch.Parts(
                handler, answers, new LineParser(settings.headerFields()),
                new BatchPlaces(limits.lines(), limits.allLines()), budget, limits.bytes(),
                (int) Math.min(longest, Integer.MAX_VALUE - 16L), clocks);
    }

    private static boolean isOwn(Context context) {
        String path = context.req().getRequestURI();
        if (!path.startsWith("/")) {
            return false;
        }
        int end = path.indexOf('/', 1);
        return RESERVED.contains(path.substring(1, end < 0 ? path.length() : end));
    }

    /// Whether it shows a former certificate because new files are unfit.
    public boolean isStale() {
        return listener.isStale();
    }

    /// The port that it listens on.
    public int port() {
        return listener.port();
    }

    /// Begins to refuse connections; calls on those that are there go on.
    public void acceptNoMore() {
        listener.acceptNoMore();
    }

    /// Whether a connection is open, or one may still come.
    public boolean hasCallers() {
        return listener.hasCallers();
    }

    @Override
    public void close() {
        listener.close();
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.telemetry.Metrics;
import io.javalin.config.RoutesConfig;
import io.javalin.http.HandlerType;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The management port: health, metrics, operators. It runs before the ledger does, and to the end of a drain.
public final class ManagementServer implements AutoCloseable {

    private static final int HEADER_FIELDS = 16 * 1024;
    /// Pages and metrics that nobody takes, verdicts that nobody finishes.
    private static final long STANDING = 16 * 1024 * 1024;

    private final Listener listener;
    private final AtomicReference<OperatorPages> operators;

    private ManagementServer(Listener listener, AtomicReference<OperatorPages> operators) {
        this.listener = listener;
        this.operators = operators;
    }

    /// Listens from now on; operators are refused until they are let in.
    ///
    /// @param tls null: plain HTTP
    public static ManagementServer start(String host, int port, ReadyPage ready, Metrics metrics, Clocks clocks,
            @Nullable Tls tls) {
        AtomicReference<OperatorPages> operators = new AtomicReference<>();
        Listener.Settings settings =
                new Listener.Settings(
                        host, port, HEADER_FIELDS, GatewaySettings.USUAL_IDLE, CallerPace.USUAL, STANDING, tls);
        Listener listener = Listener.start(settings, routes -> addTo(routes, ready, metrics, operators), clocks);
        return new ManagementServer(listener, operators);
    }

    private static void addTo(
            RoutesConfig routes, ReadyPage ready, Metrics metrics, AtomicReference<OperatorPages> operators) {
        // A drain ends calls, not this port: connections to it stay.
        Pages pages = new Pages(new Drain());
        pages.get(routes, "/health/live", (_, _) -> text("application/json", "{\"status\":\"live\"}"));
        pages.get(routes, "/health/ready", (_, _) -> ready.reply());
        pages.get(routes, "/metrics", (_, _) -> text("text/plain; version=0.0.4; charset=utf-8", metrics.scrape()));
        pages.get(routes, "/operator/entries", (exchange, context) -> in(operators).list(exchange));
        pages.get(routes, "/operator/entries/{id}", (exchange, context) -> in(operators)
                .one(exchange, context.pathParam("id")));
        pages.get(routes, "/operator/doubts", (exchange, context) -> in(operators).doubts(exchange));
        pages.on(
                routes, HandlerType.DELETE, "/operator/entries/{id}",
                (exchange, context) -> in(operators).erase(exchange, context.pathParam("id")));
        pages.on(
                routes, HandlerType.POST, "/operator/entries/{id}/verdict",
                (exchange, context) -> in(operators).verdict(exchange, context.pathParam("id")));
        pages.on(
                routes, HandlerType.POST, "/operator/verdicts",
                (exchange, context) -> in(operators).verdicts(exchange));
        pages.addRefusals(routes);
    }

    private static OperatorPages in(AtomicReference<OperatorPages> operators) {
        OperatorPages pages = operators.get();
        if (pages == null) {
            throw new Refusing(Problem.LEDGER_UNAVAILABLE, "This replica is still starting. Ask again.");
        }
        return pages;
    }

    private static Reply text(String mediaType, String text) {
        return Reply.of(
                200, Headers.of("Content-Type", mediaType, "Cache-Control", "no-store"), Body.ofUtf8(text));
    }

    /// Lets operators in.
    public void admit(OperatorPages pages) {
        operators.set(pages);
    }

    /// Whether it shows a former certificate because new files are unfit.
    public boolean isStale() {
        return listener.isStale();
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

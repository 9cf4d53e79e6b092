package dev.latchkey.server;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Upkeep;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.servlet.JavalinServlet;
import io.javalin.http.servlet.ServletEntry;
import io.javalin.util.JavalinException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import kotlin.LazyKt;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.jspecify.annotations.Nullable;

/// One port: Javalin on Jetty, set up so that requests arrive as they were sent and answers leave as we wrote them.
final class Listener implements AutoCloseable {

    /// Response header fields come from downstreams, whose bound is not ours.
    private static final int LARGEST_RESPONSE_HEADER = 256 * 1024;
    private static final int ACCEPT_QUEUE = 1024;
    /// The end of answers that are being written when everything stops.
    private static final Duration LAST_BYTES = Duration.ofSeconds(5);

    private final Javalin javalin;
    private final Upkeep rounds;
    private final @Nullable Certificate certificate;

    private Listener(Javalin javalin, Upkeep rounds, @Nullable Certificate certificate) {
        this.javalin = javalin;
        this.rounds = rounds;
        this.certificate = certificate;
    }

    /// Where and how to listen.
    ///
    /// @param host address or name to bind to
    /// @param port 0: any free one
    /// @param headerFields bytes allowed for request line and header fields
    /// @param idle how long a connection may be silent between requests, or in the middle of one
    /// @param pace how slow a caller may be
    /// @param standing bytes of bodies and answers that callers may leave standing
    /// @param tls null: plain HTTP
    record Settings(String host, int port, int headerFields, Duration idle, CallerPace pace, long standing,
            @Nullable Tls tls) {}

    /// Listens from now on.
    static Listener start(Settings settings, Consumer<RoutesConfig> routes, Clocks clocks) {
        SlowCallers slow = new SlowCallers(settings.pace(), settings.idle(), settings.standing(), clocks);
        FirstAlone first = new FirstAlone();
        Certificate certificate = settings.tls() == null ? null : new Certificate(settings.tls());
        Javalin javalin = Javalin.create(config -> {
            config.startup.showJavalinBanner = false;
            config.startup.showOldJavalinVersionWarning = false;
            config.startup.startupWatcherEnabled = false;
            config.concurrency.useVirtualThreads = true;
            config.http.compressionStrategy = CompressionStrategy.NONE;
            config.http.prefer405over404 = true;
            config.unsafe.internalRouter = new TellingRouter(config.unsafe);
            config.unsafe.servletRequestLifecycle.addFirst((_, _, _, _) -> first.made());
            // Javalin's usual servlet takes what looks like a WebSocket past every handler of ours, and opens a session.
            config.unsafe.servlet = LazyKt.lazy(() -> new ServletEntry(null, new JavalinServlet(config.unsafe)));
            jetty(config, settings, slow, first, certificate);
            routes.accept(config.routes);
        });
        List<Upkeep.Task> rounds = certificate == null ? List.of(slow) : List.of(slow, certificate);
        return new Listener(javalin.start(), Upkeep.start(rounds, SlowCallers.ROUND, clocks), certificate);
    }

    private static void jetty(JavalinConfig config, Settings settings, SlowCallers slow,
            FirstAlone first, @Nullable Certificate certificate) {
        config.jetty.modifyHttpConfiguration(http -> http(http, settings));
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new ParserRefusals());
            server.insertHandler(first);
            server.insertHandler(slow.handler());
            server.insertHandler(new GracefulHandler());
            server.setStopTimeout(LAST_BYTES.toMillis());
            server.setStopAtShutdown(false);
        });
        // The servlet layer would refuse what PathRules refuses in its own words and at its own time.
        config.jetty.modifyServletContextHandler(
                context -> context.getServletHandler().setDecodeAmbiguousURIs(true));
        config.jetty.addConnector((server, http) -> {
            HttpConnectionFactory plain = new HttpConnectionFactory(http);
            plain.addEventListener(slow);
            Entrance entrance = certificate == null
                    ? new Entrance(server, plain)
                    : new Entrance(server, secured(certificate, plain), plain);
            entrance.setHost(settings.host());
            entrance.setPort(settings.port());
            entrance.setIdleTimeout(settings.idle().toMillis());
            entrance.setAcceptQueueSize(ACCEPT_QUEUE);
            return entrance;
        });
    }

    private static SslConnectionFactory secured(Certificate certificate, HttpConnectionFactory plain) {
        // Which host a request names is no matter of this port's: it may stand behind any name.
        plain.getHttpConfiguration().addCustomizer(new SecureRequestCustomizer(false));
        return new SslConnectionFactory(certificate.factory(), plain.getProtocol());
    }

    private static void http(HttpConfiguration http, Settings settings) {
        http.setHttpCompliance(HttpCompliance.RFC9110);
        http.setUriCompliance(UriCompliance.UNSAFE);
        // Else a value that differs in case from a well-known one arrives as the well-known one.
        http.setHeaderCacheCaseSensitive(true);
        // A connection that is kept would keep a hundred kilobytes of it, and there are ten thousand of them.
        http.setHeaderCacheSize(0);
        http.setRequestHeaderSize(settings.headerFields());
        http.setMaxResponseHeaderSize(LARGEST_RESPONSE_HEADER);
        http.setSendServerVersion(false);
        // Added by Exchange where an answer has none of its own: there must be one.
        http.setSendDateHeader(false);
    }

    /// Whether it shows a former certificate because new files are unfit.
    boolean isStale() {
        return certificate != null && certificate.isStale();
    }

    /// The port that it listens on.
    int port() {
        return javalin.port();
    }

    /// Begins to refuse connections; those that are there stay.
    void acceptNoMore() {
        entrance().shut();
    }

    /// Whether somebody may still come in, or has come in and is not gone.
    boolean hasCallers() {
        Entrance entrance = entrance();
        return entrance.isOpen() || entrance.connections() > 0;
    }

    private Entrance entrance() {
        return (Entrance) javalin.jettyServer().server().getConnectors()[0];
    }

    /// Listens no more; answers that are being written are ended. Who has none by then is cut off: a drain has told of it.
    @Override
    public void close() {
        rounds.close();
        try {
            javalin.stop();
        } catch (JavalinException e) {
            if (!(e.getCause() instanceof TimeoutException)) {
                throw e;
            }
        }
    }
}

package dev.latchkey.downstream;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Downstream;
import dev.latchkey.gateway.Forward;
import dev.latchkey.gateway.SendWindow;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.tls.LatestTls;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// The client for one route's downstream: HTTP/1.1 over sockets of its own, and not a line of code that could send a
/// request a second time. Safe for any number of threads; made for virtual ones.
///
/// General clients were tried for this. The JDK's, OkHttp's and Apache's re-send by themselves in one case or another; that
/// can be switched off in Apache's. What cannot be had from it by settings (httpcore 5.4, httpclient 5.6): it takes the end
/// of the stream for the end of the head or of the last chunk's line, so that a response cut short looks whole; it reads a
/// length beside chunks, and a body ended by any close; passes over interim responses without bound; reads unsolicited
/// bytes of an idle connection as the next answer, and waits a millisecond to find the connection stale; and has no hook
/// between handshake and first byte or before each further write, which is where an attempt must ask whether it may still
/// send (G6). With each of these replaced, little but the line splitting would have been left of it.
///
/// What is told apart is only where the first byte stood: before it was handed to the system nothing was sent, provably;
/// from then on everything but a complete response is in doubt.
public final class StrictClient implements Downstream {

    private static final Duration DROP_EVERY = Duration.ofSeconds(1);

    private final BaseUrl base;
    private final Settings settings;
    private final @Nullable EgressProxy proxy;
    private final Connector connector;
    private final Pool pool;
    private final Watchdog watchdog;
    private final Clocks clocks;
    private final Future<?> dropping;
    private final Set<Connection> inUse = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /// What one route says of its downstream.
    ///
    /// @param url the base URL: `http` or `https`, host, perhaps port and path
    /// @param connectTimeout bounds a free place, name, connect and handshake together
    /// @param maxConcurrent forwards at once, and connections
    /// @param responseBody how many bytes of a body are kept in memory
    /// @param deduplicates whether the downstream deduplicates by the key, so that a doubt costs little
    public record Settings(
            URI url, Duration connectTimeout, int maxConcurrent, int responseBody, boolean deduplicates) {}

    /// Trusts what the Java runtime trusts.
    public StrictClient(Settings settings, Watchdog watchdog, Clocks clocks) {
        this(settings, LatestTls.usual(), null, watchdog, clocks);
    }

    /// Trusts what the context trusts.
    ///
    /// @throws IllegalArgumentException when the URL cannot be a downstream's
    StrictClient(Settings settings, SSLContext tls, Watchdog watchdog, Clocks clocks) {
        this(settings, () -> tls, null, watchdog, clocks);
    }

    /// Shows and trusts what the context of the moment does, and goes by the proxy.
    ///
    /// @param proxy null: directly
    /// @throws IllegalArgumentException when the URL cannot be a downstream's
    public StrictClient(
            Settings settings, Supplier<SSLContext> tls, @Nullable EgressProxy proxy, Watchdog watchdog,
            Clocks clocks) {
        this.base = BaseUrl.of(settings.url());
        this.settings = settings;
        this.proxy = proxy;
        this.connector = new Connector(base, tls, proxy, watchdog, clocks);
        this.pool = new Pool(settings.maxConcurrent(), clocks);
        this.watchdog = watchdog;
        this.clocks = clocks;
        this.dropping = watchdog.every(DROP_EVERY, pool::dropOld);
    }

    @Override
    public Outcome send(Forward forward, SendWindow window, Duration patience, Overflow overflow) {
        long start = clocks.nanos();
        Duration toConnect = patience.compareTo(settings.connectTimeout()) < 0 ? patience : settings.connectTimeout();
        try {
            byte[] head = RequestHead.of(forward, base, proxy);
            pool.takePlace(toConnect);
            try {
                Connection connection = connection(forward, left(toConnect, start));
                RequestWriter writer =
                        new RequestWriter(connection, window, head, forward.body().bytes());
                Exchange exchange =
                        new Exchange(connection, writer, forward.method(), settings.responseBody(), overflow);
                return run(exchange, connection, left(patience, start));
            } finally {
                pool.leavePlace();
            }
        } catch (NothingSent e) {
            return new Outcome.NotSent(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Outcome.NotSent("interrupted");
        }
    }

    private Connection connection(Forward forward, Duration atMost) throws NothingSent, InterruptedException {
        Connection pooled = pool.poll(forward.keyed() && !settings.deduplicates());
        return pooled != null ? pooled : connector.connect(atMost);
    }

    private Outcome run(Exchange exchange, Connection connection, Duration atMost) {
        if (!atMost.isPositive()) {
            connection.close();
            return new Outcome.NotSent("too late to send");
        }
        Outcome outcome;
        inUse.add(connection);
        try (Alarm deadline = watchdog.arm(atMost, connection::reset)) {
            // Looked at once it is among those in use: whoever closes sees it there, or is seen here.
            if (closed) {
                connection.reset();
            }
            outcome = exchange.run(deadline);
        } finally {
            inUse.remove(connection);
        }
        if (exchange.reusable()) {
            pool.offer(connection, exchange.keepAlive());
        }
        return outcome;
    }

    private Duration left(Duration atMost, long start) {
        return atMost.minusNanos(clocks.nanos() - start);
    }

    /// Cuts what is under way: its outcome is what is known by then.
    @Override
    public void close() {
        closed = true;
        dropping.cancel(false);
        pool.close();
        inUse.forEach(Connection::reset);
    }
}

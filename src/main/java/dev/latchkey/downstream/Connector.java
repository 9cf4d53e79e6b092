package dev.latchkey.downstream;

import dev.latchkey.gateway.Clocks;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// Makes connections: name, address, the proxy's tunnel, TLS. Whatever fails here fails before a byte of a request can
/// leave, TLS handshakes too, for no early data is ever sent. Safe for any number of threads.
final class Connector {

    private final BaseUrl base;
    private final Supplier<SSLContext> tls;
    private final @Nullable EgressProxy proxy;
    private final int port;
    private final Resolver resolver;
    private final List<SNIServerName> serverNames;
    private final Watchdog watchdog;
    private final Clocks clocks;

    /// @param proxy null: directly
    Connector(
            BaseUrl base, Supplier<SSLContext> tls, @Nullable EgressProxy proxy, Watchdog watchdog, Clocks clocks) {
        this.base = base;
        this.tls = tls;
        this.proxy = proxy;
        this.port = proxy == null ? base.port() : proxy.port();
        this.resolver = new Resolver(proxy == null ? base.host() : proxy.host());
        // An address has no place in SNI (RFC 6066 §3); the JDK by itself leaves out single labels as well.
        this.serverNames = new Resolver(base.host()).isLiteral() ? List.of() : List.of(new SNIHostName(base.host()));
        this.watchdog = watchdog;
        this.clocks = clocks;
        if (base.tls()) {
            // What it trusts is read now and not by the first call; and not at all where nobody needs it.
            var _ = tls.get();
        }
    }

    /// Connects to the first of the host's addresses that accepts.
    ///
    /// @param atMost bounds name, every address and the handshake together
    Connection connect(Duration atMost) throws NothingSent, InterruptedException {
        long start = clocks.nanos();
        InetAddress[] addresses = resolver.resolve(atMost);
        NothingSent last = new NothingSent(where("name not resolved"));
        for (int i = 0; i < addresses.length; i++) {
            Duration left = left(atMost, start);
            try {
                SocketChannel channel = open(addresses[i], left.dividedBy(addresses.length - i));
                return secured(channel, left(atMost, start));
            } catch (ConnectionRefused e) {
                last = e.asNothingSent(this::where);
            }
        }
        throw last;
    }

    private Duration left(Duration atMost, long start) throws NothingSent {
        Duration left = atMost.minusNanos(clocks.nanos() - start);
        if (!left.isPositive()) {
            throw new NothingSent("connect timed out");
        }
        return left;
    }

    private SocketChannel open(InetAddress address, Duration atMost) throws ConnectionRefused {
        SocketChannel channel = null;
        try {
            channel = SocketChannel.open();
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            int millis = Math.clamp(atMost.toMillis(), 1, Integer.MAX_VALUE);
            channel.socket().connect(new InetSocketAddress(address, port), millis);
            if (channel.getLocalAddress().equals(channel.getRemoteAddress())) {
                // On loopback the kernel may connect a port that nobody listens on to itself.
                throw new ConnectException("connected to itself");
            }
            return channel;
        } catch (IOException e) {
            if (channel != null) {
                closeQuietly(channel);
            }
            throw new ConnectionRefused(e);
        }
    }

    private Connection secured(SocketChannel channel, Duration atMost) throws NothingSent {
        try {
            if (!base.tls()) {
                return Connection.over(channel, null);
            }
            long start = clocks.nanos();
            if (proxy != null) {
                tunnel(channel, proxy, atMost);
            }
            return Connection.over(channel, handshake(channel, left(atMost, start)));
        } catch (IOException e) {
            closeQuietly(channel);
            throw new NothingSent("TLS handshake failed", e);
        } catch (NothingSent e) {
            closeQuietly(channel);
            throw e;
        }
    }

    /// Only the proxy has heard of anything yet, and of no more than host and port.
    private void tunnel(SocketChannel channel, EgressProxy through, Duration atMost) throws NothingSent {
        byte[] asked = through.connect(base);
        try (Alarm alarm = watchdog.arm(atMost, () -> closeQuietly(channel))) {
            channel.socket().getOutputStream().write(asked);
            WireInput input = new WireInput(channel.socket().getInputStream());
            int status = ResponseHead.readFinal(input).status();
            if (status / 100 != 2) {
                throw new NothingSent("the proxy answered " + status);
            }
            if (!input.isEmpty() || !alarm.disarm()) {
                throw new NothingSent("the proxy made no tunnel");
            }
        } catch (IOException e) {
            throw new NothingSent("the proxy made no tunnel", e);
        }
    }

    private SSLSocket handshake(SocketChannel channel, Duration atMost) throws IOException {
        SSLSocket socket =
                (SSLSocket) tls.get().getSocketFactory().createSocket(channel.socket(), base.host(), base.port(),
                        false);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        parameters.setServerNames(serverNames);
        socket.setSSLParameters(parameters);
        try (Alarm alarm = watchdog.arm(atMost, () -> closeQuietly(channel))) {
            socket.startHandshake();
            if (!alarm.disarm()) {
                throw new SocketTimeoutException("handshake timed out");
            }
        }
        return socket;
    }

    private String where(String reason) {
        return proxy == null ? reason : reason + " (proxy)";
    }

    private static void closeQuietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException _) {
            // nothing was sent on it and nobody will use it
        }
    }

    /// One address does not accept; the next may.
    private static final class ConnectionRefused extends Exception {

        private static final long serialVersionUID = 1L;

        private final IOException reason;

        ConnectionRefused(IOException reason) {
            super(reason);
            this.reason = reason;
        }

        NothingSent asNothingSent(UnaryOperator<String> where) {
            return new NothingSent(
                    where.apply(switch (reason) {
                        case ConnectException _ -> "connection refused";
                        case SocketTimeoutException _ -> "connect timed out";
                        default -> "no connection";
                    }),
                    reason);
        }
    }
}

package dev.latchkey.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;

/// The sockets of the driver, named to it by the parameter `socketFactory` of a URL, so that a test can look at the last one.
/// For one test at a time.
public final class RecordingSockets extends SocketFactory {

    private static @Nullable Recorded last;

    /// The one that was made last.
    static Recorded last() {
        Recorded made = last;
        if (made == null) {
            throw new IllegalStateException("none was made");
        }
        return made;
    }

    /// A socket that remembers how it was connected.
    static final class Recorded extends Socket {

        private int connectTimeout = -1;

        @Override
        public void connect(SocketAddress endpoint, int timeout) throws IOException {
            connectTimeout = timeout;
            super.connect(endpoint, timeout);
        }

        /// Milliseconds; 0: without end.
        int connectTimeout() {
            return connectTimeout;
        }
    }

    @Override
    public Socket createSocket() {
        Recorded made = new Recorded();
        last = made;
        return made;
    }

    @Override
    public Socket createSocket(String host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress localHost, int localPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort) {
        throw new UnsupportedOperationException();
    }
}

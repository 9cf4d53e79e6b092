package dev.latchkey.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A bad network on the loopback address, between a program and whatever it connects to: cuts connections where a [Fault]
/// says so, delays, freezes, refuses. Safe for any number of threads.
public final class CuttingProxy implements AutoCloseable {

    private static final int BACKLOG = 1024;
    private static final Duration REBIND = Duration.ofSeconds(30);

    private final int target;
    private final int port;
    private final CopyOnWriteArrayList<Fault> faults = new CopyOnWriteArrayList<>();
    private final Set<Link> links = ConcurrentHashMap.newKeySet();
    private final Map<Way, Duration> latency = new EnumMap<>(Way.class);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private @Nullable ServerSocket listener;
    private boolean frozen;
    private boolean closed;

    private CuttingProxy(int target) throws IOException {
        this.target = target;
        ServerSocket socket = listen(0);
        this.port = socket.getLocalPort();
        serve(socket);
    }

    /// Starts on a free port.
    ///
    /// @param target the port of the loopback address to which it connects
    public static CuttingProxy to(int target) {
        try {
            return new CuttingProxy(target);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    /// Where an HTTP downstream behind it is.
    public URI url() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /// From now on this can happen, on connections that are open already, too.
    public CuttingProxy with(Fault fault) {
        faults.add(fault);
        return this;
    }

    /// From now on nothing happens any more; what was silenced stays so.
    public void withoutFaults() {
        faults.clear();
    }

    /// From now on everything goes through at once; what was silenced stays so.
    public void mend() {
        withoutFaults();
        for (Way way : Way.values()) {
            delay(way, Duration.ZERO);
        }
    }

    /// Holds each arrival of bytes back for so long.
    public void delay(Way way, Duration time) {
        change(() -> latency.put(way, time));
    }

    /// Nothing moves any more, nothing breaks: new connections are made by the system and go nowhere.
    public void freeze() {
        change(() -> frozen = true);
    }

    /// Everything goes on where it stood.
    public void thaw() {
        change(() -> frozen = false);
    }

    /// Resets every connection; new ones are refused by the system.
    public void refuse() {
        ServerSocket socket = listener;
        listener = null;
        if (socket != null) {
            closeQuietly(socket);
        }
        cutAll();
    }

    /// Accepts again, on the same port.
    public void serve() {
        long end = System.nanoTime() + REBIND.toNanos();
        while (true) {
            try {
                serve(listen(port));
                return;
            } catch (IOException e) {
                // A connection from elsewhere may have the port for a moment.
                if (System.nanoTime() > end) {
                    throw new UncheckedIOException(e);
                }
                hold(Duration.ofMillis(50));
            }
        }
    }

    /// Resets every connection; new ones are accepted.
    public void cutAll() {
        links.forEach(link -> link.end(Ending.RESET));
    }

    /// How many connections are open.
    public int open() {
        return links.size();
    }

    @Override
    public void close() {
        change(() -> {
            closed = true;
            frozen = false;
        });
        refuse();
    }

    private static ServerSocket listen(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        socket.setReuseAddress(true);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
        return socket;
    }

    private void serve(ServerSocket socket) {
        listener = socket;
        Thread.ofVirtual().name("cutting-proxy").start(() -> accept(socket));
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Thread.ofVirtual().name("cutting-proxy-link").start(() -> connect(client));
            } catch (IOException _) {
                // the listener was closed, or one connection died while being accepted
            }
        }
    }

    private void connect(Socket client) {
        try {
            awaitThaw();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            Link link = new Link(this, client, server);
            links.add(link);
            link.start();
        } catch (IOException _) {
            // Nobody is there: a client of the target itself would have been refused.
            closeQuietly(client);
        }
    }

    void ended(Link link) {
        links.remove(link);
    }

    /// What a fault says of these bytes, once they may move.
    Optional<Fault.Strike> judge(Link link, Way way, byte[] bytes) {
        hold(latency(way));
        awaitThaw();
        for (Fault fault : faults) {
            Optional<Fault.Strike> strike = fault.look(link, way, bytes);
            if (strike.isPresent()) {
                return strike;
            }
        }
        return Optional.empty();
    }

    private Duration latency(Way way) {
        lock.lock();
        try {
            return latency.getOrDefault(way, Duration.ZERO);
        } finally {
            lock.unlock();
        }
    }

    private void change(Runnable what) {
        lock.lock();
        try {
            what.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void awaitThaw() {
        lock.lock();
        try {
            while (frozen) {
                changed.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }

    private void hold(Duration time) {
        lock.lock();
        try {
            long left = time.toNanos();
            while (left > 0 && !closed) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    static void closeQuietly(AutoCloseable socket) {
        try {
            socket.close();
        } catch (Exception _) {
            // it is of no more use either way
        }
    }
}

package dev.latchkey.testing;

import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// One connection through a [CuttingProxy], carried by one thread each way.
final class Link {

    private static final int BUFFER = 64 * 1024;

    private final CuttingProxy proxy;
    private final Socket client;
    private final Socket server;
    private final Set<Way> silent = ConcurrentHashMap.newKeySet();
    private final AtomicInteger carrying = new AtomicInteger(2);

    Link(CuttingProxy proxy, Socket client, Socket server) throws IOException {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    /// A mere connection can be struck, too.
    void start() {
        strikes(Way.REQUEST, new byte[0]);
        for (Way way : Way.values()) {
            Thread.ofVirtual().name("cutting-proxy-" + way).start(() -> carry(way));
        }
    }

    private void carry(Way way) {
        byte[] buffer = new byte[BUFFER];
        try {
            int count;
            while ((count = from(way).getInputStream().read(buffer)) >= 0) {
                byte[] came = Arrays.copyOf(buffer, count);
                if (!strikes(way, came)) {
                    write(way, came, count);
                }
            }
            proxy.awaitThaw();
            if (!silent.contains(way)) {
                to(way).shutdownOutput();
            }
        } catch (IOException _) {
            // What one end broke, the other sees broken, unless it is cut off from it.
            proxy.awaitThaw();
            if (!silent.contains(way)) {
                reset(to(way));
            }
            CuttingProxy.closeQuietly(from(way));
        } finally {
            if (carrying.decrementAndGet() == 0) {
                end(Ending.FIN);
            }
        }
    }

    private boolean strikes(Way way, byte[] came) {
        Optional<Fault.Strike> strike = proxy.judge(this, way, came);
        strike.ifPresent(it -> {
            if (it.ending() != Ending.SILENCE) {
                // Nothing may come back for what still passes.
                silent.add(way.opposite());
            }
            try {
                write(way, came, it.passing());
            } catch (IOException _) {
                // it dies anyway
            }
            end(way, it.ending());
        });
        return strike.isPresent();
    }

    private void write(Way way, byte[] bytes, int count) throws IOException {
        if (count > 0 && !silent.contains(way)) {
            to(way).getOutputStream().write(bytes, 0, count);
        }
    }

    private void end(Way way, Ending ending) {
        switch (ending) {
            case SILENCE -> silent.add(way);
            case VANISHED -> silent.addAll(Set.of(Way.values()));
            case RESET, FIN -> end(ending);
        }
    }

    /// Ends it for both.
    void end(Ending ending) {
        proxy.ended(this);
        // The carriers wake up by it, and have nothing to tell any more.
        silent.addAll(Set.of(Way.values()));
        for (Socket socket : new Socket[] {client, server}) {
            if (ending == Ending.RESET) {
                reset(socket);
            } else {
                CuttingProxy.closeQuietly(socket);
            }
        }
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException _) {
            // closed already
        }
        CuttingProxy.closeQuietly(socket);
    }

    private Socket from(Way way) {
        return way == Way.REQUEST ? client : server;
    }

    private Socket to(Way way) {
        return from(way.opposite());
    }
}

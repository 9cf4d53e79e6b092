package dev.latchkey.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/// Where connections come in, and how it is shut without cutting anybody off. The kernel takes connections before the program
/// does, and resets those that the program has not taken when the port closes: a balancer may have sent a call on one of them by
/// then, and will not send it again. So the one thread that takes them in shuts the entrance, right after a look that has found
/// nobody waiting. What comes between the look and the shutting is lost, as is a handshake that is under way: that is
/// microseconds and a round trip, and not the time for which that thread waits for a processor.
final class Entrance extends ServerConnector {

    private static final int WHO_TAKES_IN = 1;
    private static final int AS_USUAL = -1;

    /// Taken in, and not yet among those whose requests are read.
    private final Set<SelectableChannel> entering = ConcurrentHashMap.newKeySet();
    private volatile boolean shutting;

    Entrance(Server server, ConnectionFactory... factories) {
        super(server, WHO_TAKES_IN, AS_USUAL, factories);
        // Not this itself: Jetty makes a listener a part of what it listens to, and would look for parts in circles for ever.
        getSelectorManager().addEventListener(new SelectorManager.AcceptListener() {
            @Override
            public void onAccepting(SelectableChannel channel) {
                entering.add(channel);
            }

            @Override
            public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
                entering.remove(channel);
            }
        });
    }

    /// Begins to shut: [#isOpen] says when nobody can come in any more.
    void shut() {
        // Before the knock: whoever takes in that connection, or a later one, sees it. Without a knock he may sleep for ever.
        shutting = true;
        try (SocketChannel knock = SocketChannel.open()) {
            knock.configureBlocking(false);
            knock.connect(address());
        } catch (IOException _) {
            // refused: it was awake, and is done
        }
    }

    private InetSocketAddress address() throws IOException {
        InetSocketAddress bound = (InetSocketAddress) port().getLocalAddress();
        return bound.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), bound.getPort())
                : bound;
    }

    private ServerSocketChannel port() {
        return (ServerSocketChannel) getTransport();
    }

    @Override
    public void accept(int acceptor) throws IOException {
        if (!shutting) {
            super.accept(acceptor);
        }
        if (shutting) {
            takeInWhoIsThereAndShut();
        }
    }

    private void takeInWhoIsThereAndShut() throws IOException {
        ServerSocketChannel port = port();
        port.configureBlocking(false);
        for (SocketChannel next = port.accept(); next != null; next = port.accept()) {
            next.configureBlocking(false);
            configure(next.socket());
            getSelectorManager().accept(next);
        }
        port.close();
    }

    /// Jetty would try again and again.
    @Override
    protected boolean handleAcceptFailure(Throwable failure) {
        return isOpen() && super.handleAcceptFailure(failure);
    }

    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
        super.onEndPointOpened(endPoint);
        entering.remove(((SocketChannelEndPoint) endPoint).getChannel());
    }

    /// How many connections are there. Once the entrance is shut there are never more, and 0 is the end.
    int connections() {
        // In this order: who goes from the ones to the others meanwhile is counted twice, and not left out.
        return entering.size() + getConnectedEndPoints().size();
    }
}

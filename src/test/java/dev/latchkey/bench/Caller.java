package dev.latchkey.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// One caller on a connection of its own: sends a request, reads its answer whole and checks it. For one thread.
final class Caller implements AutoCloseable {

    private static final int LARGEST_ANSWER = 16 * 1024;

    private final SocketChannel channel;
    private final Requests requests;
    private final ByteBuffer out;
    private final ByteBuffer in = ByteBuffer.allocate(LARGEST_ANSWER);
    private int head = -1;
    private int end = -1;

    Caller(int port, Requests requests) throws IOException {
        this.channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        this.channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        this.requests = requests;
        this.out = ByteBuffer.allocate(requests.size());
    }

    SocketChannel channel() {
        return channel;
    }

    void send() throws IOException {
        in.clear();
        head = -1;
        requests.next(out);
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }

    /// Reads what is there; where nothing is and the channel waits, waits.
    ///
    /// @return whether the answer is complete; it was the right one
    boolean read() throws IOException {
        if (channel.read(in) < 0) {
            throw new EOFException("the connection was closed before the answer was complete");
        }
        if (head < 0) {
            head = Frame.head(in.array(), in.position());
            if (head < 0) {
                return false;
            }
            end = head + Math.max(0, Frame.length(in.array(), head));
        }
        if (in.position() < end) {
            return false;
        }
        requests.expected().check(in.array(), head, in.position());
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

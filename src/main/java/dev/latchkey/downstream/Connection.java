package dev.latchkey.downstream;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// One connection to the downstream. One thread reads and one writes; any thread may reset it.
final class Connection {

    private static final int ORDERLY = -1;
    private static final int RESET = 0;

    private final SocketChannel channel;
    private final boolean tls;
    private final InputStream in;
    private final OutputStream out;
    private final WireInput input;

    private Connection(SocketChannel channel, Socket socket) throws IOException {
        this.channel = channel;
        this.tls = socket instanceof SSLSocket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
        this.input = new WireInput(in);
    }

    /// A connection that ends with a reset unless it is closed in order: also when its thread is interrupted or the process
    /// killed, for then too the kernel must not deliver a request's remaining bytes later.
    ///
    /// @param tls the socket over the channel, its handshake done; null: none
    static Connection over(SocketChannel channel, @Nullable SSLSocket tls) throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, RESET);
        return new Connection(channel, tls == null ? channel.socket() : tls);
    }

    WireInput input() {
        return input;
    }

    void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        out.flush();
    }

    /// Whether nothing came since the last response was read, neither bytes nor the end: what came is no answer to a
    /// request that was not sent yet. Costs a system call and no waiting.
    boolean isQuiet() {
        try {
            if (!input.isEmpty() || (tls && in.available() > 0)) {
                return false;
            }
            channel.configureBlocking(false);
            boolean nothing = channel.read(ByteBuffer.allocate(1)) == 0;
            channel.configureBlocking(true);
            return nothing;
        } catch (IOException _) {
            return false;
        }
    }

    /// Closes at once with a reset, so that bytes still in the kernel's buffer are never delivered (G22). Wakes whoever
    /// reads or writes. Never blocks: the TLS layer, which could, is passed by.
    void reset() {
        try {
            channel.close();
        } catch (IOException _) {
            // it is of no more use either way
        }
    }

    /// Closes in order.
    void close() {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, ORDERLY);
        } catch (IOException _) {
            // closed already
        }
        reset();
    }
}

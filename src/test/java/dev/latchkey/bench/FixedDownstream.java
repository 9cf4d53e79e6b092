package dev.latchkey.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A downstream that costs next to nothing: one thread, one answer. A program of its own, which ends with the harness.
final class FixedDownstream {

    /// What it prints when it listens.
    static final Pattern PORT = Pattern.compile("port (\\d+)");

    /// 300 bytes.
    static final String BODY = body();

    private static final byte[] ANSWER = ("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n"
            + "Location: /payments/pay_182b8cd6601247325cc66785\r\nContent-Length: " + BODY.length() + "\r\n\r\n"
            + BODY)
            .getBytes(StandardCharsets.US_ASCII);

    private final Selector selector;

    /// @param bytes what it holds
    private record Inbox(byte[] bytes, ByteBuffer buffer) {
        static Inbox empty() {
            byte[] bytes = new byte[64 * 1024];
            return new Inbox(bytes, ByteBuffer.wrap(bytes));
        }
    }

    private FixedDownstream(Selector selector) {
        this.selector = selector;
    }

    private static String body() {
        String start =
                "{\"id\":\"pay_182b8cd6601247325cc66785\",\"amount\":25.50,\"currency\":\"EUR\",\"status\":\"succeeded\","
                        + "\"created\":\"2026-01-04T09:00:00Z\",\"customer\":\"cus_182b8cd6601247325cc66785\",\"note\":\"";
        return start + "-".repeat(300 - start.length() - 2) + "\"}";
    }

    public static void main(String[] arguments) throws IOException {
        ParentWatch.endWithInput();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
        listener.configureBlocking(false);
        Selector selector = Selector.open();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        System.out.println("port " + listener.socket().getLocalPort());
        FixedDownstream downstream = new FixedDownstream(selector);
        while (true) {
            selector.select(downstream::ready);
        }
    }

    private void ready(SelectionKey key) {
        try {
            if (key.channel() instanceof ServerSocketChannel listener) {
                accept(listener.accept());
            } else {
                answer((SocketChannel) key.channel(), (Inbox) key.attachment());
            }
        } catch (IOException _) {
            // That caller has gone.
            key.cancel();
        }
    }

    private void accept(@Nullable SocketChannel channel) throws IOException {
        if (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, Inbox.empty());
        }
    }

    private static void answer(SocketChannel channel, Inbox inbox) throws IOException {
        ByteBuffer in = inbox.buffer();
        if (channel.read(in) < 0) {
            channel.close();
            return;
        }
        int head = Frame.head(inbox.bytes(), in.position());
        if (head < 0 || in.position() < head + Math.max(0, Frame.length(inbox.bytes(), head))) {
            return;
        }
        in.clear();
        ByteBuffer out = ByteBuffer.wrap(ANSWER);
        while (out.hasRemaining()) {
            channel.write(out);
        }
    }
}

package dev.latchkey.e2e;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Very many callers who each send, or read, one byte a second, on one thread of their own. They are never silent.
final class SlowCallers implements AutoCloseable {

    private static final int TICKS = 100;

    private final List<Slow> all = new ArrayList<>();
    private final ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();
    private int tick;
    private @Nullable Future<?> ticking;

    /// How one of them is slow.
    enum Manner {
        HEADER, KEYED_BODY, PLAIN_BODY, ANSWER
    }

    private record Slow(SocketChannel channel, boolean reads) {

        /// What the gateway has cut is let go.
        void step() {
            try {
                if (reads) {
                    channel.read(ByteBuffer.allocate(1));
                } else {
                    channel.write(ByteBuffer.wrap(new byte[] {'x'}));
                }
            } catch (IOException _) {
                close();
            }
        }

        void close() {
            try {
                channel.close();
            } catch (IOException _) {
                // It is gone.
            }
        }
    }

    /// Connects so many of each manner, and begins.
    ///
    /// @param recorded a key whose replay is large
    static SlowCallers begin(Replica gateway, Client client, int each, String recorded) throws IOException {
        SlowCallers callers = new SlowCallers();
        for (int i = 0; i < each; i++) {
            for (Manner manner : Manner.values()) {
                callers.add(gateway.port(), request(manner, client, recorded), manner == Manner.ANSWER);
            }
        }
        callers.ticking = callers.ticks.scheduleAtFixedRate(
                callers::tick, 0, 1_000 / TICKS, TimeUnit.MILLISECONDS);
        return callers;
    }

    private static String request(Manner manner, Client client, String recorded) {
        String token = "Host: x\r\nAuthorization: Bearer " + client.token() + "\r\n";
        return switch (manner) {
            case HEADER -> "POST /payments/slow HTTP/1.1\r\n" + token + "X-Slow: ";
            case KEYED_BODY -> "POST /payments/slow HTTP/1.1\r\n" + token + "Idempotency-Key: " + Canary.key()
                    + "\r\nContent-Length: 100000\r\n\r\n";
            case PLAIN_BODY -> "POST /optional/slow HTTP/1.1\r\n" + token + "Content-Length: 100000\r\n\r\n";
            case ANSWER -> "POST /payments/large HTTP/1.1\r\n" + token + "Idempotency-Key: " + recorded
                    + "\r\nContent-Length: 2\r\n\r\n{}";
        };
    }

    private void add(int port, String request, boolean reads) throws IOException {
        SocketChannel channel = SocketChannel.open();
        if (reads) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
        }
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        channel.configureBlocking(false);
        all.add(new Slow(channel, reads));
    }

    /// Each has its turn once a second.
    private void tick() {
        for (int i = tick; i < all.size(); i += TICKS) {
            if (all.get(i).channel().isOpen()) {
                all.get(i).step();
            }
        }
        tick = (tick + 1) % TICKS;
    }

    /// How many are still connected as far as they know.
    long connected() {
        return all.stream().filter(each -> each.channel().isOpen()).count();
    }

    @Override
    public void close() {
        if (ticking != null) {
            ticking.cancel(false);
        }
        ticks.close();
        all.forEach(Slow::close);
    }
}

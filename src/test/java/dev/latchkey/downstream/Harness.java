package dev.latchkey.downstream;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Downstream.Overflow;
import dev.latchkey.gateway.Forward;
import dev.latchkey.gateway.SendWindow;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.testing.RawDownstream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A strict client and the raw downstream it talks to, with clocks that a test can put forward.
final class Harness implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(20);
    static final int CAP = 100_000;

    final RawDownstream downstream;
    final ShiftedClocks clocks = new ShiftedClocks();
    final Watchdog watchdog = new Watchdog();
    final StrictClient client;

    Harness() throws IOException {
        this(false);
    }

    Harness(boolean deduplicates) throws IOException {
        downstream = RawDownstream.start();
        client = client(downstream.url(), deduplicates);
    }

    StrictClient client(URI url, boolean deduplicates) {
        return new StrictClient(settings(url, 256, deduplicates), watchdog, clocks);
    }

    static StrictClient.Settings settings(URI url, int maxConcurrent, boolean deduplicates) {
        return new StrictClient.Settings(url, Duration.ofSeconds(5), maxConcurrent, CAP, deduplicates);
    }

    static Forward forward(String method, String path, byte[] body) {
        return new Forward(method, path, null, Headers.empty(), Body.of(body), true);
    }

    /// A keyed POST with a small body.
    static Forward post(String path) {
        return new Forward("POST", path, null, Headers.empty(), Body.ofUtf8("{\"amount\":1}"), true);
    }

    /// A request of that method, with a small body where one is usual.
    static Forward any(String method, String path) {
        return method.equals("POST") || method.equals("PUT")
                ? new Forward(method, path, null, Headers.empty(), Body.ofUtf8("{}"), true)
                : new Forward(method, path, null, Headers.empty(), Body.empty(), false);
    }

    Outcome send(Forward forward) {
        return send(forward, PATIENCE);
    }

    Outcome send(Forward forward, Duration patience) {
        return client.send(forward, open(), patience, new Spill());
    }

    SendWindow open() {
        return open(clocks);
    }

    static SendWindow open(Clocks clocks) {
        return SendWindow.from(clocks, Duration.ofDays(1));
    }

    @Override
    public void close() throws IOException {
        client.close();
        downstream.close();
        watchdog.close();
    }

    /// Keeps what the overflow is given.
    static final class Spill implements Overflow {

        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int begun;
        int status;
        long length;
        private @Nullable Headers headers;

        Headers headers() {
            return Objects.requireNonNull(headers, "nothing overflowed");
        }

        @Override
        public void begin(int newStatus, Headers newHeaders, Body soFar, long newLength) {
            begun++;
            status = newStatus;
            headers = newHeaders;
            length = newLength;
            bytes.writeBytes(soFar.bytes());
        }

        @Override
        public void more(byte[] more) {
            bytes.writeBytes(more);
        }
    }

    /// The system's clocks, and what a test adds to them.
    static final class ShiftedClocks implements Clocks {

        private final AtomicLong shift = new AtomicLong();

        void forward(Duration time) {
            shift.addAndGet(time.toNanos());
        }

        @Override
        public Instant now() {
            return Instant.now().plusNanos(shift.get());
        }

        @Override
        public long nanos() {
            return System.nanoTime() + shift.get();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time);
        }
    }
}

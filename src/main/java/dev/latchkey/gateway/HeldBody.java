package dev.latchkey.gateway;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/// A body on its way from the forward to the caller. The last byte is held until the forward says that what it stands for
/// is committed; if it never is, the caller's connection is cut, so that nobody takes a part for the whole.
///
/// One thread offers, another writes. A caller that does not take bytes for `patience` is given up: the forward reads on
/// without it.
public final class HeldBody {

    private static final byte[] END = new byte[0];
    private static final int CHUNKS = 8;

    private final BlockingQueue<byte[]> chunks = new ArrayBlockingQueue<>(CHUNKS);
    private final CompletableFuture<Boolean> verdict = new CompletableFuture<>();
    private final Duration patience;
    private final long length;
    private volatile boolean callerGone;

    /// @param length the whole length in bytes; negative: not known
    public HeldBody(long length, Duration patience) {
        this.length = length;
        this.patience = patience;
    }

    /// The whole length in bytes; negative: not known.
    public long length() {
        return length;
    }

    /// Gives the caller the next bytes.
    void offer(byte[] bytes) {
        if (bytes.length > 0) {
            put(bytes);
        }
    }

    /// The last byte may go.
    void release() {
        put(END);
        verdict.complete(true);
    }

    /// The caller must not take what it got for the whole.
    void cut() {
        verdict.complete(false);
        chunks.clear();
        put(END);
    }

    private void put(byte[] bytes) {
        try {
            if (!callerGone && !chunks.offer(bytes, patience.toMillis(), TimeUnit.MILLISECONDS)) {
                callerGone = true;
            }
        } catch (InterruptedException e) {
            callerGone = true;
            Thread.currentThread().interrupt();
        }
    }

    /// Writes all to the caller.
    ///
    /// @throws IOException when the caller is gone, or the body must be cut: close the connection without an end
    public void writeTo(OutputStream out) throws IOException {
        try {
            byte[] held = END;
            for (byte[] next = take(); next.length > 0; next = take()) {
                out.write(held);
                out.write(next, 0, next.length - 1);
                held = new byte[] {next[next.length - 1]};
            }
            out.flush();
            if (!verdict.get()) {
                throw new IOException("the response was not recorded");
            }
            out.write(held);
        } catch (ExecutionException e) {
            throw new IOException("the response was not recorded", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            callerGone = true;
            chunks.clear();
        }
    }

    private byte[] take() throws IOException, InterruptedException {
        while (true) {
            byte[] next = chunks.poll(1, TimeUnit.SECONDS);
            if (next != null) {
                return next;
            }
            if (callerGone || (verdict.isDone() && !verdict.join())) {
                throw new IOException("the response was cut");
            }
        }
    }
}

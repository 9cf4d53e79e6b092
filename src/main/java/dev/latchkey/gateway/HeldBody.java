package dev.latchkey.gateway;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A body on its way from the forward to the caller. The last byte is held until the forward says that what it stands for
/// is committed; if it never is, the caller's connection is cut, so that nobody takes a part for the whole.
///
/// One thread offers, another writes. The forward waits for a slow caller only until the caller's time is over, in all and
/// not for each piece: else one who takes a byte now and then would hold the forward past its lease, and its outcome would
/// be lost. From then on a caller who does not keep up is given up, and the forward reads on without it. Ending never
/// blocks.
public final class HeldBody {

    private static final int CHUNKS = 8;
    private static final byte[] NOTHING = new byte[0];

    private enum End { OPEN, WHOLE, CUT }

    private final long length;
    private final Patience callersTime;
    private final Deque<byte[]> chunks = new ArrayDeque<>();
    private CompletableFuture<Boolean> change = new CompletableFuture<>();
    private End end = End.OPEN;
    private boolean callerGone;
    private @Nullable Patience lastByte;

    /// @param length the whole length in bytes; negative: not known
    /// @param callersTime until when the forward waits for the caller
    HeldBody(long length, Patience callersTime) {
        this.length = length;
        this.callersTime = callersTime;
    }

    /// The whole length in bytes; negative: not known.
    public long length() {
        return length;
    }

    /// Gives the caller the next bytes.
    void offer(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        try {
            for (var full = put(bytes); full != null; full = put(bytes)) {
                callersTime.clocks().await(full, callersTime.left());
            }
        } catch (TimeoutException e) {
            leave();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a change is told, not thrown", e);
        } catch (InterruptedException e) {
            leave();
            Thread.currentThread().interrupt();
        }
    }

    /// All has come, and the last byte is held until then at most.
    synchronized void holdUntil(Patience patience) {
        lastByte = patience;
        changed();
    }

    /// The last byte may go.
    synchronized void release() {
        if (end == End.OPEN) {
            end = End.WHOLE;
            changed();
        }
    }

    /// The caller must not take what it got for the whole.
    synchronized void cut() {
        if (end == End.OPEN) {
            end = End.CUT;
            chunks.clear();
            changed();
        }
    }

    /// Null: taken, or nobody wants it; else what to wait for.
    private synchronized @Nullable CompletableFuture<Boolean> put(byte[] bytes) {
        if (callerGone || end != End.OPEN) {
            return null;
        }
        if (chunks.size() == CHUNKS) {
            return change;
        }
        chunks.add(bytes);
        changed();
        return null;
    }

    private synchronized void leave() {
        callerGone = true;
        chunks.clear();
        changed();
    }

    private void changed() {
        CompletableFuture<Boolean> before = change;
        change = new CompletableFuture<>();
        before.complete(true);
    }

    /// Writes all to the caller.
    ///
    /// @throws CutBody when the body must be cut: close the connection without an end
    /// @throws IOException when the caller is gone or too slow: the same
    public void writeTo(OutputStream out) throws IOException {
        try {
            byte[] held = NOTHING;
            for (byte[] next = take(out); next.length > 0; next = take(out)) {
                out.write(held);
                out.write(next, 0, next.length - 1);
                held = new byte[] {next[next.length - 1]};
            }
            out.write(held);
        } finally {
            leave();
        }
    }

    /// The next bytes; none: the body is whole.
    private byte[] take(OutputStream out) throws IOException {
        try {
            while (true) {
                CompletableFuture<Boolean> more;
                Patience until;
                synchronized (this) {
                    if (callerGone) {
                        throw new IOException("the caller was too slow");
                    }
                    if (end == End.CUT) {
                        throw new CutBody("the response was cut");
                    }
                    byte[] next = chunks.poll();
                    if (next != null) {
                        changed();
                        return next;
                    }
                    if (end == End.WHOLE) {
                        return NOTHING;
                    }
                    more = change;
                    until = lastByte;
                }
                out.flush();
                if (until == null) {
                    more.get();
                } else {
                    until.clocks().await(more, until.left());
                }
            }
        } catch (TimeoutException e) {
            throw new CutBody("the response was cut: it could not be recorded", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a change is told, not thrown", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CutBody("the gateway stops", e);
        }
    }
}

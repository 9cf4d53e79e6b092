package dev.latchkey.downstream;

import dev.latchkey.gateway.SendWindow;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/// Puts one request on a connection, in writes of at most 16 KiB, the first of them with the head. Most requests are one
/// write; the rest of a longer one is written beside the reading, so that a response that comes early is seen even while
/// the downstream takes no more bytes.
final class RequestWriter {

    private static final int WRITE = 16 * 1024;

    private enum Progress {
        /// The last byte is still here.
        WRITING,
        /// The last byte is being handed over, or was.
        LAST,
        /// The last byte will never be handed over.
        STOPPED
    }

    private final Connection connection;
    private final SendWindow window;
    private final byte[] first;
    private final byte[] body;
    private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.WRITING);
    private final CountDownLatch done = new CountDownLatch(1);
    private int written;
    private volatile boolean windowShut;
    private volatile boolean whole;

    RequestWriter(Connection connection, SendWindow window, byte[] head, byte[] body) {
        this.connection = connection;
        this.window = window;
        this.body = body;
        this.written = Math.clamp(WRITE - head.length, 0, body.length);
        this.first = new byte[head.length + written];
        System.arraycopy(head, 0, first, 0, head.length);
        System.arraycopy(body, 0, first, head.length, written);
    }

    /// Writes the first bytes, and begins to write the others beside the caller.
    ///
    /// @return false if the window was shut: nothing was written, nothing will be
    boolean begin() {
        boolean inOne = written == body.length;
        if (inOne) {
            progress.set(Progress.LAST);
        }
        if (!window.isOpen()) {
            return false;
        }
        try {
            connection.write(first, 0, first.length);
        } catch (IOException _) {
            // The downstream may have answered before it broke off: whoever reads will find out.
            done.countDown();
            return true;
        }
        if (inOne) {
            whole = true;
            done.countDown();
        } else {
            Thread.ofVirtual().name("downstream-writer").start(this::rest);
        }
        return true;
    }

    private void rest() {
        try {
            while (written < body.length && mayWrite()) {
                int size = Math.min(WRITE, body.length - written);
                connection.write(body, written, size);
                written += size;
            }
            whole = written == body.length;
        } catch (IOException _) {
            // as in `begin`
        } finally {
            done.countDown();
        }
    }

    private boolean mayWrite() {
        if (!window.isOpen()) {
            windowShut = true;
            connection.reset();
            return false;
        }
        boolean last = body.length - written <= WRITE;
        return last
                ? progress.compareAndSet(Progress.WRITING, Progress.LAST)
                : progress.get() == Progress.WRITING;
    }

    /// The final response came: sees to it that the request's last byte stays here, if it still is. A success is no reason
    /// to stop: the downstream may still want the rest.
    ///
    /// @return whether the last byte had been handed over before, or may have been
    boolean responseCame(int status) {
        if (status < 300) {
            return progress.get() == Progress.LAST;
        }
        return !progress.compareAndSet(Progress.WRITING, Progress.STOPPED);
    }

    boolean windowShut() {
        return windowShut;
    }

    /// Waits until nothing is being written any more.
    ///
    /// @return whether the whole request was handed over
    boolean awaitEnd() throws InterruptedException {
        if (progress.get() == Progress.STOPPED) {
            return false;
        }
        done.await();
        return whole;
    }
}

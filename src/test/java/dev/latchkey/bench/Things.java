package dev.latchkey.bench;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Everything that was started and must be ended, in reverse, on Ctrl-C too. Safe for any number of threads.
final class Things implements AutoCloseable {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "ending");

    private Things() {}

    static Things opened() {
        Things things = new Things();
        Runtime.getRuntime().addShutdownHook(things.hook);
        return things;
    }

    /// Will end it.
    synchronized <T extends AutoCloseable> T keep(T thing) {
        open.push(thing);
        return thing;
    }

    /// Whether they are being ended. A signal that comes to all programs at once may end one of them before we know of it:
    /// so much later it is known.
    boolean isEnding(Duration later) {
        try {
            return ending.await(later.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void end() {
        ending.countDown();
        endAll();
    }

    private synchronized void endAll() {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                System.err.println("not ended: " + e);
            }
        }
    }

    @Override
    public void close() {
        end();
    }
}

package dev.latchkey.bench;

import java.util.ArrayDeque;
import java.util.Deque;

/// Everything that was started and must be ended, in reverse, on Ctrl-C too. Safe for any number of threads.
final class Things implements AutoCloseable {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
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

    private synchronized void end() {
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

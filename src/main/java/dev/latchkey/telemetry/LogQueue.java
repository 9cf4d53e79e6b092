package dev.latchkey.telemetry;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import ch.qos.logback.core.encoder.Encoder;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Writes the log to standard output from a thread of its own, many lines at once, so that no call waits for whoever reads
/// it. Nobody is ever blocked: what finds the queue full is dropped and counted, and the last quarter of it is kept for
/// warnings and errors. Safe for any number of threads.
public final class LogQueue extends UnsynchronizedAppenderBase<ILoggingEvent> {

    private static final int PLACES = 8_192;
    private static final int FOR_WARNINGS = PLACES / 4;
    private static final int AT_ONCE = 256;
    /// For so long the writer waits for company, in nanoseconds: to wake it for each line would cost a call more than the
    /// line itself.
    private static final long GATHERING = TimeUnit.MILLISECONDS.toNanos(5);
    private static final LongAdder DROPPED = new LongAdder();
    private static volatile @Nullable LogQueue current;

    private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(PLACES);
    private final PrintStream out;
    private @Nullable Encoder<ILoggingEvent> encoder;
    private volatile @Nullable Thread writer;

    /// To standard output.
    public LogQueue() {
        this(System.out);
    }

    LogQueue(PrintStream out) {
        this.out = out;
    }

    private sealed interface Item {
        record Line(ILoggingEvent event) implements Item {}

        /// Told once all before it is written.
        record Mark(CompletableFuture<Void> reached) implements Item {}
    }

    /// How each line is written.
    public void setEncoder(Encoder<ILoggingEvent> encoder) {
        this.encoder = encoder;
    }

    /// How many lines were dropped by now.
    public static long dropped() {
        return DROPPED.sum();
    }

    /// Waits until what was said so far is written, for so long at most: whoever reads standard output may have stopped.
    public static void flush(Duration atMost) {
        LogQueue queue = current;
        if (queue != null) {
            queue.await(atMost);
        }
    }

    @Override
    public void start() {
        Encoder<ILoggingEvent> how = encoder;
        if (how == null) {
            addError("no encoder");
            return;
        }
        how.setContext(getContext());
        how.start();
        super.start();
        current = this;
        // A platform thread: writing to a pipe that nobody reads would hold the carrier of a virtual one.
        writer = Thread.ofPlatform().daemon().name("log").start(() -> write(how));
    }

    @Override
    public void stop() {
        super.stop();
        Thread running = writer;
        if (running != null) {
            running.interrupt();
        }
    }

    @Override
    protected void append(ILoggingEvent event) {
        boolean matters = event.getLevel().isGreaterOrEqual(Level.WARN);
        boolean room = matters || queue.remainingCapacity() > FOR_WARNINGS;
        if (room) {
            event.prepareForDeferredProcessing();
        }
        if (!room || !queue.offer(new Item.Line(event))) {
            DROPPED.increment();
        }
    }

    private void write(Encoder<ILoggingEvent> how) {
        List<Item> items = new ArrayList<>(AT_ONCE);
        try {
            while (!Thread.currentThread().isInterrupted()) {
                items.add(queue.take());
                if (queue.size() < AT_ONCE) {
                    LockSupport.parkNanos(GATHERING);
                }
                queue.drainTo(items, AT_ONCE - 1);
                write(items, how);
                items.clear();
            }
        } catch (InterruptedException _) {
            // Stopped: what is left is not written.
        }
    }

    private void write(List<Item> items, Encoder<ILoggingEvent> how) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        List<CompletableFuture<Void>> reached = new ArrayList<>();
        for (Item item : items) {
            switch (item) {
                case Item.Line(ILoggingEvent event) -> lines.writeBytes(encoded(event, how));
                case Item.Mark(CompletableFuture<Void> mark) -> reached.add(mark);
            }
        }
        out.write(lines.toByteArray(), 0, lines.size());
        out.flush();
        reached.forEach(mark -> mark.complete(null));
    }

    /// One line that cannot be written must not end the log.
    private static byte[] encoded(ILoggingEvent event, Encoder<ILoggingEvent> how) {
        try {
            return how.encode(event);
        } catch (RuntimeException _) {
            DROPPED.increment();
            return new byte[0];
        }
    }

    void await(Duration atMost) {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        try {
            if (queue.offer(new Item.Mark(reached), atMost.toNanos(), TimeUnit.NANOSECONDS)) {
                reached.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException _) {
            // Nobody reads.
        }
    }
}

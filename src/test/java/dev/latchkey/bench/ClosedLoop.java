package dev.latchkey.bench;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/// So many callers, each of whom calls again the moment it is answered: says what can be carried at most. All on one
/// thread, for it shares the cores with what it measures.
final class ClosedLoop implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 60;

    private final Selector selector;
    private final List<Caller> callers = new ArrayList<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS), 3);
    private final AtomicLong calls = new AtomicLong();
    private volatile boolean measuring;
    private volatile boolean stopping;
    private int waiting;

    private static final class Sent {
        final Caller caller;
        long at;

        Sent(Caller caller) {
            this.caller = caller;
        }
    }

    private ClosedLoop(int port, int count, Requests requests) throws IOException {
        this.selector = Selector.open();
        for (int i = 0; i < count; i++) {
            Caller caller = new Caller(port, requests);
            callers.add(caller);
            caller.channel().configureBlocking(false);
            caller.channel().register(selector, SelectionKey.OP_READ, new Sent(caller));
        }
    }

    static ClosedLoop start(int port, int callers, Requests requests) throws IOException {
        ClosedLoop loop = new ClosedLoop(port, callers, requests);
        Thread.ofPlatform().daemon().name("callers").start(loop::run);
        return loop;
    }

    private void run() {
        try {
            for (SelectionKey key : selector.keys()) {
                send((Sent) key.attachment());
                waiting++;
            }
            while (waiting > 0) {
                selector.select(this::ready, TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            }
            ended.complete(null);
        } catch (Exception e) {
            ended.completeExceptionally(e.getCause() instanceof IOException io ? io : e);
        }
    }

    private void ready(SelectionKey key) {
        Sent sent = (Sent) key.attachment();
        try {
            if (!sent.caller.read()) {
                return;
            }
            if (measuring) {
                latencies.recordValue(System.nanoTime() - sent.at);
            }
            calls.lazySet(calls.getPlain() + 1);
            if (stopping) {
                waiting--;
            } else {
                send(sent);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void send(Sent sent) throws IOException {
        sent.at = System.nanoTime();
        sent.caller.send();
    }

    /// How many answers came so far.
    long calls() {
        return calls.get();
    }

    /// Lets it run for so long.
    ///
    /// @throws IllegalStateException where an answer was wrong or a connection broke
    void await(Duration time) throws InterruptedException {
        try {
            ended.get(time.toNanos(), TimeUnit.NANOSECONDS);
            throw new IllegalStateException("the callers ended too early");
        } catch (TimeoutException _) {
            // as it should be
        } catch (ExecutionException e) {
            throw failed(e);
        }
    }

    /// Lets it run until so many answers have come.
    void awaitCalls(long count) throws InterruptedException {
        for (int left = 100; calls() < count; left--) {
            if (left == 0) {
                throw new IllegalStateException("hardly any call is answered: " + calls());
            }
            await(Duration.ofMillis(500));
        }
    }

    /// Whether latencies are kept from now on.
    void measure(boolean on) {
        measuring = on;
    }

    /// Lets every caller have its last answer.
    ///
    /// @return latencies in nanoseconds, of what was answered while they were kept
    Histogram stop() throws InterruptedException {
        stopping = true;
        try {
            ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return latencies;
        } catch (TimeoutException e) {
            throw new IllegalStateException("a call was not answered", e);
        } catch (ExecutionException e) {
            throw failed(e);
        }
    }

    private static IllegalStateException failed(ExecutionException e) {
        return new IllegalStateException("the callers failed: " + e.getMessage(), e);
    }

    @Override
    public void close() throws IOException {
        stopping = true;
        for (Caller caller : callers) {
            caller.close();
        }
        selector.close();
    }
}

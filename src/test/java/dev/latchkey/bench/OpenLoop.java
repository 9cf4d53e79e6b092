package dev.latchkey.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// Calls that come at a fixed rate, however long each takes: says how long callers wait who do not know of each other.
///
/// A latency counts from when a call was due, not from when it was sent. When all stands still for a second, everybody who
/// was due in that second has waited; a load that sends its next call only after the last one's answer would see one slow
/// call (coordinated omission).
final class OpenLoop {

    private static final long LEAD_NANOS = 50_000_000;

    /// What passes and what waits; tests have their own.
    interface Time {
        long nanos();

        void await(long until);
    }

    /// One call, to its end.
    interface Exchange {
        void call() throws IOException;
    }

    private static final Time REAL = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void await(long until) {
            for (long left = until - nanos(); left > 0; left = until - nanos()) {
                LockSupport.parkNanos(left);
            }
        }
    };

    private final Time time;
    private final long start;
    private final long interval;
    private final long count;
    private final AtomicLong next = new AtomicLong();
    private final Histogram latencies = new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(2), 3);

    /// @param start when the first call is due
    /// @param interval between two calls, in nanoseconds
    /// @param count of calls in all
    OpenLoop(Time time, long start, long interval, long count) {
        this.time = time;
        this.start = start;
        this.interval = interval;
        this.count = count;
    }

    /// @param connections the most calls under way at once; what is due while all are busy waits, and its wait counts
    /// @return latencies in nanoseconds
    static Histogram run(int port, int connections, Requests requests, int rate, Duration length) throws Exception {
        long interval = TimeUnit.SECONDS.toNanos(1) / rate;
        List<Caller> callers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(connections)) {
            for (int i = 0; i < connections; i++) {
                callers.add(new Caller(port, requests));
            }
            OpenLoop loop = new OpenLoop(
                    REAL, REAL.nanos() + LEAD_NANOS, interval, length.toNanos() / interval);
            List<Future<?>> workers = new ArrayList<>();
            for (Caller caller : callers) {
                workers.add(threads.submit(() -> {
                    loop.work(() -> exchange(caller));
                    return null;
                }));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
            return loop.latencies();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the callers failed", e.getCause());
        } finally {
            for (Caller caller : callers) {
                caller.close();
            }
        }
    }

    private static void exchange(Caller caller) throws IOException {
        caller.send();
        while (!caller.read()) {
            // More of it is to come.
        }
    }

    /// Takes call after call, in the order in which they are due, until none is left.
    void work(Exchange exchange) throws IOException {
        for (long i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            long due = start + i * interval;
            time.await(due);
            exchange.call();
            latencies.recordValue(time.nanos() - due);
        }
    }

    Histogram latencies() {
        return latencies;
    }
}

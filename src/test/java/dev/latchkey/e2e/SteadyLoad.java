package dev.latchkey.e2e;

import static org.awaitility.Awaitility.await;

import dev.latchkey.torture.Told;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Calls that come at a steady pace, however long each one takes. One thread, but for the calls.
final class SteadyLoad {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
    private final ConcurrentLinkedQueue<Optional<Told>> heard = new ConcurrentLinkedQueue<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger over = new AtomicInteger();

    /// Makes a call of that number.
    interface Making {
        /// @return empty: no answer came
        Optional<Told> call(int number) throws InterruptedException;
    }

    private SteadyLoad() {}

    /// Begins to call, once in each such time.
    static SteadyLoad start(Duration every, Making making) {
        SteadyLoad load = new SteadyLoad();
        ScheduledFuture<?> _ = load.pace.scheduleAtFixedRate(
                () -> load.calls.execute(() -> load.make(making)), 0, every.toNanos(), TimeUnit.NANOSECONDS);
        return load;
    }

    private void make(Making making) {
        try {
            heard.add(making.call(begun.getAndIncrement()));
            over.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits until so many more calls are over.
    void awaitMore(int more) {
        int wanted = over.get() + more;
        await().atMost(PATIENCE).until(() -> over.get() >= wanted);
    }

    /// Calls no more, waits for the last ones, and gives what was heard.
    List<Optional<Told>> end() {
        pace.close();
        calls.close();
        return new ArrayList<>(heard);
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Waits that are woken by what they wait for, and else by a look at all of them.
@Timeout(60)
class DeadlinesTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final Deadlines deadlines = new Deadlines(System::nanoTime);

    @AfterEach
    void nobodyIsLeft() {
        assertThat(deadlines.waiting()).isZero();
    }

    @Test
    void endThatComesWakesEverybody() throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> waits = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                waits.add(callers.submit(() -> deadlines.await(future, LONG)));
                if (i == 500) {
                    future.complete("done");
                }
            }
            for (Future<String> wait : waits) {
                assertThat(wait.get()).isEqualTo("done");
            }
        }
    }

    @Test
    void endThatDoesNotComeIsNotWaitedForBeyondTheTime() {
        Duration time = Duration.ofMillis(120);
        long start = System.nanoTime();
        assertThatThrownBy(() -> deadlines.await(new CompletableFuture<>(), time)).isInstanceOf(TimeoutException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(time);
    }

    @Test
    void manyAreLateAtOnce() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> waits = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                waits.add(callers.submit(() -> deadlines.await(never, Duration.ofMillis(100))));
            }
            for (Future<String> wait : waits) {
                assertThatThrownBy(wait::get).hasCauseInstanceOf(TimeoutException.class);
            }
        }
    }

    @Test
    void failureIsToldAsAFutureTellsIt() {
        assertThatThrownBy(() -> deadlines.await(CompletableFuture.failedFuture(new IllegalStateException()), LONG))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(IllegalStateException.class);
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(false);
        assertThatThrownBy(() -> deadlines.await(cancelled, LONG)).isInstanceOf(CancellationException.class);
    }

    @Test
    void interruptEndsTheWait() throws Exception {
        CompletableFuture<Throwable> came = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                came.complete(new AssertionError(deadlines.await(new CompletableFuture<>(), LONG)));
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                came.complete(e);
            }
        });
        waiting.interrupt();
        assertThat(came.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void lookThatFailsIsNotTheLast() {
        AtomicInteger failures = new AtomicInteger();
        Deadlines shaken = new Deadlines(() -> {
            if (Thread.currentThread().getName().equals("deadlines")) {
                switch (failures.getAndIncrement()) {
                    case 0 -> throw new StackOverflowError("not really");
                    case 1 -> throw new IllegalStateException("a fault of ours");
                    default -> {
                        // from now on it works
                    }
                }
            }
            return System.nanoTime();
        });
        assertThatThrownBy(() -> shaken.await(new CompletableFuture<>(), Duration.ofMillis(120)))
                .isInstanceOf(TimeoutException.class);
        assertThat(failures).hasValueGreaterThan(2);
        assertThat(shaken.waiting()).isZero();
    }

    /// However many wait.
    @Test
    void lookReadsTheClockOnce() throws Exception {
        CompletableFuture<String> future = new CompletableFuture<>();
        AtomicInteger looks = new AtomicInteger();
        Deadlines counted = new Deadlines(() -> {
            if (Thread.currentThread().getName().equals("deadlines")) {
                looks.incrementAndGet();
            }
            return System.nanoTime();
        });
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> waits = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                waits.add(callers.submit(() -> counted.await(future, LONG)));
            }
            await().until(() -> counted.waiting() == 1_000);
            int before = looks.get();
            await().until(() -> looks.get() > before);
            int read = looks.get() - before;
            future.complete("done");
            assertThat(read).isLessThan(100);
            for (Future<String> wait : waits) {
                assertThat(wait.get()).isEqualTo("done");
            }
        }
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Waits that are woken by what they wait for, and else by a look at all of them.
@Timeout(60)
class DeadlinesTest {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final Deadlines deadlines = new Deadlines(System::nanoTime);

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
}

package dev.latchkey.gateway;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// The machine's clocks. [#LONG] waits may end a twentieth of a second late.
public final class SystemClocks implements Clocks {

    /// From here on a wait costs no timer of its own, which on the way of each call would show.
    public static final Duration LONG = Duration.ofMillis(400);

    /// One for all: its thread is the program's.
    private static final class Shared {
        private static final Deadlines DEADLINES = new Deadlines(SystemClocks::monotonic);
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return monotonic();
    }

    private static long monotonic() {
        return System.nanoTime();
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        Thread.sleep(time);
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (future.isDone() || atMost.compareTo(LONG) < 0) {
            return Clocks.super.await(future, atMost);
        }
        return Shared.DEADLINES.await(future, atMost);
    }
}

package dev.latchkey.gateway;

import java.lang.reflect.Constructor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Time and threads in a test's own hand. Every thread that is started here, and every virtual thread that these start, runs
/// on the test's thread, one at a time, until it waits; which one goes on next is drawn by the seed. Time stands still until
/// the test moves it, and then goes from one wake-up to the next. So a seed reproduces a run, nothing sleeps, and a thread
/// that waits for ever is seen at once.
///
/// The JDK lets nobody choose the scheduler of a virtual thread but itself; hence the reflection, and `--add-opens
/// java.base/java.lang=ALL-UNNAMED` for the tests.
final class Stage implements Clocks, Executor {

    static final Instant START = Instant.parse("2026-01-04T10:00:00Z");

    private final LinkedBlockingQueue<Runnable> arriving = new LinkedBlockingQueue<>();
    private final List<Runnable> ready = new ArrayList<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private final List<Consumer<Duration>> onTime = new ArrayList<>();
    private final Random order;
    private final Thread.Builder.OfVirtual threads = threads(arriving::add);
    private long time;
    private long timersMade;
    private Duration wallSkew = Duration.ZERO;

    Stage(long seed) {
        this.order = new Random(seed);
    }

    private record Timer(long at, long number, CompletableFuture<Boolean> over) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    /// Makes threads that take their turns as the scheduler gives them.
    static Thread.Builder.OfVirtual threads(Executor scheduler) {
        try {
            Constructor<?> made = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            made.setAccessible(true);
            return (Thread.Builder.OfVirtual) made.newInstance(scheduler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("this JDK's virtual threads cannot be given a scheduler", e);
        }
    }

    /// Starts a thread; it runs when the test lets it.
    @Override
    public void execute(Runnable work) {
        threads.start(work);
    }

    /// A turn to take, among those of all other threads.
    void arrives(Runnable step) {
        arriving.add(step);
    }

    /// Starts a thread and tells what it returned.
    <T> CompletableFuture<T> start(Callable<T> work) {
        return start(this, work);
    }

    static <T> CompletableFuture<T> start(Executor threads, Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        threads.execute(() -> {
            try {
                result.complete(work.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    /// Told whenever time moves, and by how much.
    void onTime(Consumer<Duration> listener) {
        onTime.add(listener);
    }

    /// Runs everything that can run now.
    void settle() {
        while (true) {
            arriving.drainTo(ready);
            if (ready.isEmpty()) {
                return;
            }
            ready.remove(order.nextInt(ready.size())).run();
        }
    }

    /// Runs everything, and moves time by so much.
    void advance(Duration by) {
        long until = time + by.toNanos();
        settle();
        while (!timers.isEmpty() && timers.peek().at <= until) {
            wakeNext();
            settle();
        }
        moveTo(until);
    }

    /// Runs and moves time until a thread's result is there.
    ///
    /// @throws AssertionError when it would wait for ever, or longer than that
    <T> T await(CompletableFuture<T> result, String what, Duration atMost) {
        long until = time + atMost.toNanos();
        settle();
        while (!result.isDone()) {
            if (!goOn(until)) {
                throw new AssertionError(what + " waits for ever");
            }
        }
        return result.join();
    }

    private boolean goOn(long until) {
        Timer next = timers.peek();
        if (next != null && next.at <= until) {
            wakeNext();
        } else if (!somethingArrives()) {
            return false;
        }
        settle();
        return true;
    }

    /// A thread of the JDK's own may still be about to wake one of ours.
    private boolean somethingArrives() {
        try {
            Runnable late = arriving.poll(200, TimeUnit.MILLISECONDS);
            if (late != null) {
                ready.add(late);
            }
            return late != null;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Wakes all whose time is next, so that any of them may go first.
    private void wakeNext() {
        List<Timer> due = new ArrayList<>(List.of(timers.remove()));
        long at = due.getFirst().at;
        while (!timers.isEmpty() && timers.peek().at == at) {
            due.add(timers.remove());
        }
        moveTo(at);
        due.forEach(timer -> timer.over.complete(true));
    }

    private void moveTo(long then) {
        Duration by = Duration.ofNanos(then - time);
        if (by.isPositive()) {
            time = then;
            onTime.forEach(listener -> listener.accept(by));
        }
    }

    /// Moves the wall clock alone, as after a suspension.
    void jumpWall(Duration by) {
        wallSkew = wallSkew.plus(by);
    }

    /// Since the start.
    Duration passed() {
        return Duration.ofNanos(time);
    }

    @Override
    public Instant now() {
        return START.plusNanos(time).plus(wallSkew);
    }

    @Override
    public long nanos() {
        return time;
    }

    @Override
    public void sleep(Duration by) throws InterruptedException {
        Timer timer = timer(by);
        try {
            timer.over.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            timers.remove(timer);
        }
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Duration atMost)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!future.isDone()) {
            if (!atMost.isPositive()) {
                throw new TimeoutException();
            }
            Timer timer = timer(atMost);
            try {
                CompletableFuture.anyOf(timer.over, future.handle((value, failure) -> true)).get();
            } finally {
                timers.remove(timer);
            }
            // With both at the same moment either may be seen.
            if (!future.isDone() || (timer.over.isDone() && order.nextBoolean())) {
                throw new TimeoutException();
            }
        }
        return future.get();
    }

    private Timer timer(Duration in) {
        Timer timer = new Timer(time + Math.max(0, in.toNanos()), timersMade++, new CompletableFuture<>());
        timers.add(timer);
        return timer;
    }

    /// How many threads wait for time to pass.
    int sleeping() {
        return timers.size();
    }

    /// Lets the other threads go first, perhaps.
    // The scheduler that this relies on is ours.
    @SuppressWarnings("ThreadPriorityCheck")
    static void yieldTurn() {
        Thread.yield();
    }

    /// The result so far; null: none yet.
    static <T> @Nullable T now(CompletableFuture<T> result) {
        return result.isDone() ? result.join() : null;
    }
}

package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Natural batching: what is handed in while every lane is busy makes the next batch; nothing waits for a batch to fill.
/// A lane has no thread: the caller whose item is a batch's first carries the batch out and calls the next one's first, so
/// that a lone caller never changes threads. A batch that is stuck, as on a connection whose other end is gone, keeps only
/// its own lane: others pass it by the lanes that are closed else. No lock is held over I/O. Safe for any number of threads;
/// blocks its caller.
///
/// @param <T> what is handed in
/// @param <R> what comes of it
final class Gathering<T, R> {

    private static final Log LOG = Log.of(Gathering.class);
    /// As long as the pool lets one wait for a connection: a refused ledger is answered within two seconds.
    private static final Duration LONGEST_QUEUE = Duration.ofMillis(1_500);
    /// Longer than a lane waits for somebody's lock, short enough to be passed within the above, and so long that nobody who
    /// waits makes a timer.
    private static final Duration STUCK = SystemClocks.LONG;

    /// What became of one item.
    sealed interface Outcome<R> {
        record Done<R>(R result) implements Outcome<R> {}

        /// Nothing was done: it is carried out alone, on its own caller's thread.
        record Alone<R>() implements Outcome<R> {}

        /// Its caller gets this.
        record Failed<R>(RuntimeException why) implements Outcome<R> {}

        /// The same for each item of a batch.
        static <R> List<Outcome<R>> forAll(List<?> batch, Outcome<R> outcome) {
            return Collections.nCopies(batch.size(), outcome);
        }
    }

    /// Carries out a batch, each item of which has a place in the result. What it throws everybody gets; what it must not
    /// throw is said in the log, and leaves it unknown what was done.
    interface Work<T, R> {
        List<Outcome<R>> carryOut(List<T> batch);
    }

    /// How large a batch may be. Its first item is always in it.
    ///
    /// @param items how many at most
    /// @param bytes sum of the items' weights at most
    record Bounds(int items, long bytes) {}

    private final Work<T, R> work;
    private final Function<T, R> alone;
    private final Lanes lanes;
    private final Bounds bounds;
    private final Clocks clocks;
    private final Deque<Ticket<T, R>> queue = new ArrayDeque<>();
    private final List<Batch<T, R>> underWay = new ArrayList<>();

    /// @param alone carries out one item
    Gathering(Work<T, R> work, Function<T, R> alone, Lanes lanes, Bounds bounds, Clocks clocks) {
        this.work = work;
        this.alone = alone;
        this.lanes = lanes;
        this.bounds = bounds;
        this.clocks = clocks;
    }

    private static final class Ticket<T, R> {
        final T item;
        final int bytes;
        /// The batch that this ticket's caller shall carry out; an empty one where another caller did.
        final CompletableFuture<Batch<T, R>> batch = new CompletableFuture<>();
        final CompletableFuture<Outcome<R>> outcome = new CompletableFuture<>();

        Ticket(T item, int bytes) {
            this.item = item;
            this.bytes = bytes;
        }

        void close(Outcome<R> came) {
            outcome.complete(came);
            batch.complete(new Batch<>(List.of(), 0));
        }
    }

    /// What one lane carries out.
    ///
    /// @param begun by the monotonic clock
    private record Batch<T, R>(List<Ticket<T, R>> tickets, long begun) {}

    /// Hands an item in and waits for what comes of it.
    ///
    /// @param bytes its weight
    /// @throws LedgerUnavailable when no lane took it in time, or its batch failed
    R submit(T item, int bytes) {
        Ticket<T, R> mine = new Ticket<>(item, bytes);
        begin(add(mine));
        Batch<T, R> batch = awaitTurn(mine);
        if (!batch.tickets().isEmpty()) {
            undisturbed(batch);
        }
        return result(mine);
    }

    private synchronized List<Batch<T, R>> add(Ticket<T, R> ticket) {
        queue.add(ticket);
        return next();
    }

    /// The batches that free lanes take now.
    private synchronized List<Batch<T, R>> next() {
        if (queue.isEmpty()) {
            return List.of();
        }
        long now = clocks.nanos();
        int open = lanes.open();
        int room = open;
        for (int i = 0; i < underWay.size() && room < lanes.most(); i++) {
            if (now - underWay.get(i).begun() >= STUCK.toNanos()) {
                room++;
            }
        }
        List<Batch<T, R>> batches = new ArrayList<>();
        while (underWay.size() < room && !queue.isEmpty()) {
            Batch<T, R> batch = new Batch<>(take((queue.size() + open - 1) / open), now);
            underWay.add(batch);
            batches.add(batch);
        }
        return batches;
    }

    /// Each by the caller of its first.
    private static <T, R> void begin(List<Batch<T, R>> batches) {
        batches.forEach(batch -> batch.tickets().getFirst().batch.complete(batch));
    }

    /// @param share of what is queued for one lane, so that the others find something when they come back
    private List<Ticket<T, R>> take(int share) {
        List<Ticket<T, R>> batch = new ArrayList<>();
        long bytes = 0;
        int most = Math.min(bounds.items(), share);
        while (batch.size() < most && !queue.isEmpty()) {
            bytes += queue.element().bytes;
            if (bytes > bounds.bytes() && !batch.isEmpty()) {
                break;
            }
            batch.add(queue.remove());
        }
        return batch;
    }

    private Batch<T, R> awaitTurn(Ticket<T, R> mine) {
        try {
            for (Duration left = LONGEST_QUEUE; left.isPositive(); left = left.minus(STUCK)) {
                try {
                    return clocks.await(mine.batch, left.compareTo(STUCK) < 0 ? left : STUCK);
                } catch (TimeoutException e) {
                    // What is under way may be stuck by now.
                    begin(next());
                }
            }
            return taken(mine, null);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a turn is given, not thrown", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return taken(mine, e);
        }
    }

    /// What has been taken up ends by itself: a lane's own bounds end the wait. What has not is given up.
    private Batch<T, R> taken(Ticket<T, R> mine, @Nullable InterruptedException why) {
        if (withdraw(mine)) {
            throw new LedgerUnavailable("The ledger is busy or silent: no lane took this up in time", false, why);
        }
        return mine.batch.join();
    }

    /// How many wait for a lane.
    synchronized int queued() {
        return queue.size();
    }

    private synchronized boolean withdraw(Ticket<T, R> ticket) {
        return queue.remove(ticket);
    }

    /// The other items of the batch are not this caller's: an interrupt, which would close the connection, waits.
    private void undisturbed(Batch<T, R> batch) {
        boolean interrupted = Thread.interrupted();
        try {
            carryOut(batch);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void carryOut(Batch<T, R> batch) {
        List<Ticket<T, R>> tickets = batch.tickets();
        List<Outcome<R>> outcomes = null;
        Throwable broken = null;
        try {
            outcomes = work.carryOut(tickets.stream().map(ticket -> ticket.item).toList());
        } catch (RuntimeException | Error e) {
            broken = e;
        } finally {
            if (broken instanceof LedgerUnreached) {
                // Who is queued would wait as long again, and then for longer than a refused ledger may take.
                giveUp(broke(broken));
            }
            // Before anybody hears: the lane is at work again while they wake up.
            begin(freeLane(batch));
            for (int i = 0; i < tickets.size(); i++) {
                tickets.get(i).close(outcomes == null || i >= outcomes.size() ? broke(broken) : outcomes.get(i));
            }
            if (broken != null && !isKnown(broken)) {
                LOG.failure(LogEvent.FAILED, broken);
            }
        }
    }

    private void giveUp(Outcome<R> outcome) {
        List<Ticket<T, R>> inVain;
        synchronized (this) {
            inVain = List.copyOf(queue);
            queue.clear();
        }
        inVain.forEach(ticket -> ticket.close(outcome));
    }

    private synchronized List<Batch<T, R>> freeLane(Batch<T, R> batch) {
        underWay.remove(batch);
        return next();
    }

    private static boolean isKnown(Throwable why) {
        return why instanceof LedgerUnavailable || why instanceof DataRefused;
    }

    private static <R> Outcome<R> broke(@Nullable Throwable why) {
        return new Outcome.Failed<>(why instanceof RuntimeException known ? known : new IllegalStateException(why));
    }

    private R result(Ticket<T, R> mine) {
        return switch (mine.outcome.join()) {
            case Outcome.Done<R> done -> done.result();
            case Outcome.Alone<R> _ -> alone.apply(mine.item);
            case Outcome.Failed<R> failed -> throw failed(failed.why());
        };
    }

    private static RuntimeException failed(RuntimeException why) {
        return switch (why) {
            // Of its own for each caller: a stack trace is one thread's.
            case LedgerUnavailable away ->
                    new LedgerUnavailable(String.valueOf(away.getMessage()), away.commitUnknown(), away);
            case DataRefused refused -> refused;
            // Nobody knows how far it came.
            default -> new LedgerUnavailable("A batch broke", true, why);
        };
    }
}

package dev.latchkey.gateway;

import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.Found;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Calls that wait for an attempt under way: on this replica by its future, elsewhere by one poller for all. Waiting costs
/// no connection and no query of its own. Safe for any number of threads.
public final class Waiters {

    private final Map<Long, LocalAttempt> byAttempt = new ConcurrentHashMap<>();
    private final Map<EntryId, LocalAttempt> byEntry = new ConcurrentHashMap<>();
    private final Poller poller;
    private final Semaphore places;
    private final int most;

    /// No waiters yet.
    ///
    /// @param most calls that may wait at once
    public Waiters(Poller poller, int most) {
        this.poller = poller;
        this.most = most;
        this.places = new Semaphore(most);
    }

    /// What came of waiting.
    sealed interface Waited {
        /// The attempt is over; the ledger holds this, or is to be looked at.
        record Over(@Nullable Found found, boolean look) implements Waited {}

        /// The key was released, and this is what its caller was told.
        record Told(Answer answer) implements Waited {}

        /// The time is spent.
        record Spent() implements Waited {}

        /// No place to wait.
        record NoPlace() implements Waited {}
    }

    /// Makes an attempt known, before its claim is handed to the ledger, so that whoever sees the claim finds it here. Empty:
    /// an equal call is about to claim or forward; attach to it.
    Optional<LocalAttempt> begin(EntryId id, long attempt, Fingerprint fingerprint) {
        LocalAttempt mine = new LocalAttempt(id, attempt, fingerprint, new CompletableFuture<>());
        LocalAttempt other = byEntry.putIfAbsent(id, mine);
        if (other != null && other.fingerprint().equals(fingerprint)) {
            return Optional.empty();
        }
        byAttempt.put(attempt, mine);
        return Optional.of(mine);
    }

    /// Tells all who wait how the attempt ended. Called after its transition is committed: who looks from now on reads it in
    /// the ledger.
    void end(LocalAttempt mine, LocalAttempt.End end) {
        byEntry.remove(mine.id(), mine);
        byAttempt.remove(mine.attempt(), mine);
        mine.end().complete(end);
    }

    /// The attempt that this replica makes for an equal call.
    Optional<LocalAttempt> underWay(EntryId id, Fingerprint fingerprint) {
        return Optional.ofNullable(byEntry.get(id)).filter(local -> local.fingerprint().equals(fingerprint));
    }

    /// Waits for a local attempt.
    Waited await(LocalAttempt local, Duration patience) {
        return waitFor(local.end(), patience);
    }

    /// Waits for the attempt that the ledger shows, here or elsewhere. The poller looks after the waiter has registered
    /// (G11), so that no end is missed.
    Waited await(EntryId id, long attempt, Duration patience) {
        LocalAttempt local = byAttempt.get(attempt);
        if (local != null) {
            return await(local, patience);
        }
        if (!patience.isPositive()) {
            return new Waited.Spent();
        }
        Poller.Watch watch = poller.watch(id, attempt);
        try {
            return waitFor(watch.end(), patience);
        } finally {
            poller.leave(watch);
        }
    }

    private Waited waitFor(CompletableFuture<LocalAttempt.End> end, Duration patience) {
        if (!places.tryAcquire()) {
            return new Waited.NoPlace();
        }
        try {
            return switch (end.get(Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS)) {
                case LocalAttempt.End.LookAgain again -> new Waited.Over(null, true);
                case LocalAttempt.End.Settled settled -> new Waited.Over(settled.found(), false);
                case LocalAttempt.End.Released released -> new Waited.Told(released.answer());
            };
        } catch (TimeoutException e) {
            return new Waited.Spent();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an attempt's end is told, not thrown", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Waited.Spent();
        } finally {
            places.release();
        }
    }

    /// How many calls wait.
    public int waiting() {
        return most - places.availablePermits();
    }
}

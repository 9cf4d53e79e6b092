package dev.latchkey.gateway;

import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.State;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Calls that wait for an attempt under way: on this replica by its future, elsewhere by one poller for all. Waiting costs
/// no connection and no query of its own. Safe for any number of threads.
public final class Waiters {

    private final Map<Long, LocalAttempt> byAttempt = new ConcurrentHashMap<>();
    private final Map<EntryId, LocalAttempt> byEntry = new ConcurrentHashMap<>();
    private final Poller poller;
    private final Clocks clocks;
    private final Semaphore places;
    private final int most;

    /// No waiters yet.
    ///
    /// @param most calls that may wait at once
    public Waiters(Poller poller, Clocks clocks, int most) {
        this.poller = poller;
        this.clocks = clocks;
        this.most = most;
        this.places = new Semaphore(most);
    }

    /// What came of waiting.
    sealed interface Waited {
        /// Nothing is known: look in the ledger.
        ///
        /// @param over whether the attempt that was waited for has ended
        record Look(boolean over) implements Waited {}

        /// The ledger holds this.
        ///
        /// @param over whether the attempt that was waited for has ended so; else it never won its claim
        record Saw(Found found, boolean over) implements Waited {}

        /// This is what the caller was told whose attempt it was.
        record Told(Answer answer) implements Waited {}

        /// The ledger is silent.
        record Silent() implements Waited {}

        /// The time is spent.
        record Spent() implements Waited {}

        /// No place to wait.
        record NoPlace() implements Waited {}
    }

    /// Whose turn it is.
    sealed interface Begun {
        /// This call's: it claims.
        record Mine(LocalAttempt attempt) implements Begun {}

        /// An equal call's, which is about to claim or forwards: attach to it.
        record Other(LocalAttempt attempt) implements Begun {}
    }

    /// Makes an attempt known, before its claim is handed to the ledger, so that whoever sees the claim finds it here.
    Begun begin(EntryId id, long attempt, Fingerprint fingerprint) {
        LocalAttempt mine = beginBeside(id, attempt, fingerprint);
        LocalAttempt other = byEntry.putIfAbsent(id, mine);
        if (other != null && other.fingerprint().equals(fingerprint)) {
            byAttempt.remove(attempt, mine);
            return new Begun.Other(other);
        }
        return new Begun.Mine(mine);
    }

    /// Makes an attempt known beside an equal one, for a call that waits no longer.
    LocalAttempt beginBeside(EntryId id, long attempt, Fingerprint fingerprint) {
        LocalAttempt mine = new LocalAttempt(id, attempt, fingerprint);
        byAttempt.put(attempt, mine);
        return mine;
    }

    /// Tells all who wait how the attempt ended. Called after its transition is committed: who looks from now on reads it in
    /// the ledger.
    void end(LocalAttempt mine, LocalAttempt.End end) {
        byEntry.remove(mine.id(), mine);
        byAttempt.remove(mine.attempt(), mine);
        mine.end().complete(end);
    }

    /// Waits for a local attempt, without a look at the ledger before. Who comes when the attempt has begun its last look
    /// looks for itself: what it saw may be older than this call, and others may have been told since what is newer (G11).
    /// Unless it saw another replica's attempt under way: that is waited for, by looks that begin later.
    Waited await(LocalAttempt local, Duration patience) {
        return waitFor(
                () -> waitFor(local, patience), () -> local.looksBegun().get(),
                saw -> isUnderWayElsewhere(saw.found(), local.fingerprint()));
    }

    /// What an attempt of this replica's tells in the end may be older than this call, too.
    private boolean isUnderWayElsewhere(Found found, Fingerprint fingerprint) {
        Entry entry = found.entry();
        return entry.state() == State.CLAIMED && !entry.leaseOver(found.now())
                && entry.fingerprint().equals(fingerprint) && !byAttempt.containsKey(entry.attempt());
    }

    private static Waited waitFor(
            Supplier<Waited> waiting, IntSupplier looksBegun, Predicate<Waited.Saw> isWaitedFor) {
        int looks = looksBegun.getAsInt();
        Waited waited = waiting.get();
        boolean late = looksBegun.getAsInt() == looks;
        return switch (waited) {
            case Waited.Saw saw when late && !isWaitedFor.test(saw) -> new Waited.Look(saw.over());
            case Waited.Told told when late -> new Waited.Look(false);
            case Waited.Saw saw -> saw;
            case Waited.Told told -> told;
            case Waited.Look look -> look;
            case Waited.Silent silent -> silent;
            case Waited.Spent spent -> spent;
            case Waited.NoPlace none -> none;
        };
    }

    /// Waits with those who wait for an equal request elsewhere, without a look of its own: it is told what the poller sees
    /// in a look that begins from now on, so what it is told is as true as if it had looked itself then, and an attempt that
    /// was over before is seen as over (G11).
    ///
    /// @return empty: nobody waits for an equal request, or this call must not wait
    Optional<Waited> join(EntryId id, Fingerprint fingerprint, Duration patience) {
        if (!patience.isPositive()) {
            return Optional.empty();
        }
        Optional<Poller.Watch> joined = poller.join(id, fingerprint);
        if (joined.isEmpty()) {
            return Optional.empty();
        }
        Poller.Watch watch = joined.get();
        try {
            Waited waited = waitFor(() -> waitFor(watch, patience), watch::looksBegun, _ -> false);
            return waited instanceof Waited.NoPlace ? Optional.empty() : Optional.of(waited);
        } finally {
            poller.leave(watch);
        }
    }

    /// Waits for the attempt that the ledger shows to this call or has shown to an equal one, here or elsewhere. The poller
    /// looks after the waiter has registered (G11), so that no end is missed; who registers during the last look looks for
    /// itself.
    ///
    /// @param fingerprint the attempt's and the call's
    Waited await(EntryId id, long attempt, Fingerprint fingerprint, Duration patience) {
        LocalAttempt local = byAttempt.get(attempt);
        if (local != null) {
            return waitFor(local, patience);
        }
        if (!patience.isPositive()) {
            return new Waited.Spent();
        }
        Poller.Watch watch = poller.watch(id, attempt, fingerprint);
        try {
            return waitFor(() -> waitFor(watch, patience), watch::looksBegun, _ -> false);
        } finally {
            poller.leave(watch);
        }
    }

    /// Once the forward is over only the ledger is waited for, and not longer than its own caller waits.
    private Waited waitFor(LocalAttempt local, Duration patience) {
        Patience own = Patience.of(clocks, patience);
        CompletableFuture<LocalAttempt.End> end = local.end();
        return waitFor(end, patience, () -> {
            try {
                return came(local.await(end, own));
            } catch (TimeoutException e) {
                Patience recording = local.recording().get();
                return recording == null ? new Waited.Spent() : inVain(own, recording);
            }
        });
    }

    /// Whose own time ends looks once more, unless the ledger has been silent for so long that this would be too late.
    private static Waited inVain(Patience own, Patience silence) {
        return own.isSpent() && silence.left().compareTo(Patience.OF_LAST_LOOK) > 0
                ? new Waited.Spent()
                : new Waited.Silent();
    }

    /// As long as the ledger answers the poller, or has done so a moment ago.
    private Waited waitFor(Poller.Watch watch, Duration patience) {
        Patience own = Patience.of(clocks, patience);
        return waitFor(watch.end(), patience, () -> {
            while (true) {
                try {
                    return came(clocks.await(watch.end(), Patience.left(own, poller.answered())));
                } catch (TimeoutException e) {
                    Patience silence = poller.answered();
                    if (own.isSpent() || silence.isSpent()) {
                        return inVain(own, silence);
                    }
                }
            }
        });
    }

    /// Waits for an end, in a place of its own.
    private interface Waiting {
        Waited await() throws InterruptedException, ExecutionException, TimeoutException;
    }

    private Waited waitFor(CompletableFuture<LocalAttempt.End> end, Duration patience, Waiting waiting) {
        // Who does not wait needs no place: with none free, a call that asked for no wait is still told 409.
        if (end.isDone()) {
            return came(end.join());
        }
        if (!patience.isPositive()) {
            return new Waited.Spent();
        }
        if (!places.tryAcquire()) {
            return new Waited.NoPlace();
        }
        try {
            return waiting.await();
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

    private static Waited came(LocalAttempt.End end) {
        return switch (end) {
            case LocalAttempt.End.LookAgain again -> new Waited.Look(false);
            case LocalAttempt.End.Lost lost -> new Waited.Saw(lost.found(), false);
            case LocalAttempt.End.Settled settled ->
                    settled.found() == null ? new Waited.Look(true) : new Waited.Saw(settled.found(), true);
            case LocalAttempt.End.Told told -> new Waited.Told(told.answer());
        };
    }

    /// How many attempts of this replica's are known: none is left once every call is over.
    int attempts() {
        return Math.max(byAttempt.size(), byEntry.size());
    }

    /// How many calls wait.
    public int waiting() {
        return most - places.availablePermits();
    }
}

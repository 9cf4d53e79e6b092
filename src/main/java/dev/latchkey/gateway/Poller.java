package dev.latchkey.gateway;

import dev.latchkey.gateway.Ledger.Watched;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.State;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Watches attempts that other replicas make: one query a round for all of them, which brings what is over. Its cost does
/// not grow with the number of calls that wait. One thread of its own; safe for any number of callers.
public final class Poller implements AutoCloseable {

    private static final Log LOG = Log.of(Poller.class);
    /// From the beginning of one look to that of the next: so there are forty a second at most.
    private static final Duration QUICK = Duration.ofMillis(25);
    private static final Duration SLOW = Duration.ofMillis(150);
    private static final Duration AFTER_MISHAP = Duration.ofSeconds(1);
    /// Two responses of the usual largest size: what one look brings is held at once.
    private static final long BYTES = 8L << 20;

    private final Ledger ledger;
    private final Clocks clocks;
    private final Map<Watched, Watch> watches = new HashMap<>();
    private final Map<EntryId, Watch> byEntry = new ConcurrentHashMap<>();
    private final Mishaps mishaps = new Mishaps(LOG);
    private final Semaphore awake = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    /// Until when those who wait do so if no look is answered.
    private volatile Patience answered;

    /// Starts the thread, which sleeps until somebody waits.
    public Poller(Ledger ledger, Clocks clocks) {
        this.ledger = ledger;
        this.clocks = clocks;
        this.answered = Patience.of(clocks, Patience.OF_SILENCE);
        this.thread = Thread.ofVirtual().name("poller").start(this::run);
    }

    /// One attempt that is watched, by any number of calls.
    static final class Watch {
        private final Watched watched;
        private final Fingerprint fingerprint;
        private final long since;
        private final CompletableFuture<LocalAttempt.End> end = new CompletableFuture<>();
        private final AtomicInteger looks = new AtomicInteger();
        private int calls;
        private boolean swept;

        private Watch(Watched watched, Fingerprint fingerprint, long since) {
            this.watched = watched;
            this.fingerprint = fingerprint;
            this.since = since;
        }

        CompletableFuture<LocalAttempt.End> end() {
            return end;
        }

        /// How many looks at it have begun: the last of them brought its end.
        int looksBegun() {
            return looks.get();
        }
    }

    /// Begins to watch, or joins those who do.
    ///
    /// @param fingerprint what the attempt forwards
    Watch watch(EntryId id, long attempt, Fingerprint fingerprint) {
        Watched watched = new Watched(id, attempt);
        synchronized (watches) {
            Watch watch = watches.get(watched);
            if (watches.isEmpty()) {
                answered = Patience.of(clocks, Patience.OF_SILENCE);
            }
            if (watch == null) {
                watch = new Watch(watched, fingerprint, clocks.nanos());
                watches.put(watched, watch);
                byEntry.put(id, watch);
                awake.release();
            }
            watch.calls++;
            return watch;
        }
    }

    /// Joins those who wait for an equal request; empty: nobody does.
    Optional<Watch> join(EntryId id, Fingerprint fingerprint) {
        // Nearly always; and who begins to watch at this moment need not be joined.
        if (!byEntry.containsKey(id)) {
            return Optional.empty();
        }
        synchronized (watches) {
            Watch watch = byEntry.get(id);
            if (watch == null || !watch.fingerprint.equals(fingerprint)) {
                return Optional.empty();
            }
            watch.calls++;
            return Optional.of(watch);
        }
    }

    /// One call waits no longer.
    void leave(Watch watch) {
        synchronized (watches) {
            watch.calls--;
            if (watch.calls == 0) {
                forget(watch);
            }
        }
    }

    private void forget(Watch watch) {
        watches.remove(watch.watched, watch);
        byEntry.remove(watch.watched.id(), watch);
    }

    /// Whatever goes wrong: without this thread no wait for another replica would ever end well.
    private void run() {
        boolean rests = false;
        while (!closed) {
            try {
                if (rests) {
                    clocks.sleep(AFTER_MISHAP);
                    rests = false;
                }
                round();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            } catch (RuntimeException | Error e) {
                rests = true;
                mishaps.survived(e);
            }
        }
    }

    private void round() throws InterruptedException {
        List<Watch> now = watched();
        if (now.isEmpty()) {
            awake.acquire();
            awake.drainPermits();
        } else {
            look(now, pace(now));
        }
    }

    private List<Watch> watched() {
        synchronized (watches) {
            return new ArrayList<>(watches.values());
        }
    }

    /// Looks once, and waits until the next look may begin.
    private void look(List<Watch> now, Duration pace) throws InterruptedException {
        now.forEach(watch -> watch.looks.incrementAndGet());
        long begun = clocks.nanos();
        try {
            // Of what ended together some may have been left.
            boolean over = lookAt(now);
            answered = Patience.of(clocks, Patience.OF_SILENCE);
            rest(begun, over ? QUICK : pace);
        } catch (LedgerUnavailable e) {
            // The calls go on waiting for a while: the ledger may come back before their time is spent.
            rest(begun, pace);
        } catch (RuntimeException e) {
            LOG.failure(LogEvent.FAILED, e);
            answered = Patience.of(clocks, Patience.OF_SILENCE);
            rest(begun, QUICK);
            lookAtLess(now);
        }
    }

    /// Until when to wait for a look to be answered: a moment from now on, unless the ledger is silent.
    Patience answered() {
        return answered;
    }

    /// @return whether one of them is over
    private boolean lookAt(List<Watch> now) {
        Map<Watched, Watch> asked = new HashMap<>();
        now.forEach(watch -> asked.put(watch.watched, watch));
        List<Ledger.Ended> seen = ledger.look(asked.keySet(), BYTES);
        boolean dead = false;
        for (Ledger.Ended each : seen) {
            Watch watch = asked.get(each.watched());
            if (watch == null) {
                continue;
            }
            if (isDead(each.found()) && !watch.swept) {
                watch.swept = true;
                dead = true;
            } else {
                finish(watch, new LocalAttempt.End.Settled(each.found()));
            }
        }
        if (dead) {
            ledger.sweep(Sweeper.AT_ONCE);
        }
        return !seen.isEmpty();
    }

    /// Swept once here, where each of the calls that wait for it would do so: the next look brings what came of it.
    private static boolean isDead(@Nullable Found found) {
        return found != null && found.entry().state() == State.CLAIMED && found.entry().leaseOver(found.now());
    }

    /// A row that cannot be read must not keep the calls that wait for others: those that wait for it look for themselves.
    private void lookAtLess(List<Watch> failed) throws InterruptedException {
        if (failed.size() == 1) {
            finish(failed.getFirst(), new LocalAttempt.End.LookAgain());
            return;
        }
        int half = failed.size() / 2;
        look(failed.subList(0, half), QUICK);
        look(failed.subList(half, failed.size()), QUICK);
    }

    private void finish(Watch watch, LocalAttempt.End end) {
        synchronized (watches) {
            forget(watch);
        }
        watch.end.complete(end);
    }

    /// A ledger that takes long to answer is left alone for as long again.
    private void rest(long begun, Duration pace) throws InterruptedException {
        Duration took = Duration.ofNanos(clocks.nanos() - begun);
        Duration left = pace.minus(took);
        Duration atLeast = took.compareTo(SLOW) < 0 ? took : SLOW;
        clocks.sleep(left.compareTo(atLeast) < 0 ? atLeast : left);
    }

    /// How many attempts are watched.
    int watching() {
        synchronized (watches) {
            return watches.size();
        }
    }

    private Duration pace(List<Watch> now) {
        long clock = clocks.nanos();
        long youngest = now.stream().mapToLong(watch -> clock - watch.since).min().orElse(0);
        return Duration.ofNanos(Math.clamp(youngest / 10, QUICK.toNanos(), SLOW.toNanos()));
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}

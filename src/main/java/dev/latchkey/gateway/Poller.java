package dev.latchkey.gateway;

import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.State;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Watches attempts that other replicas make: one query for all of them, at a pace that adapts to the youngest. Its cost
/// does not grow with the number of calls that wait. One thread of its own; safe for any number of callers.
public final class Poller implements AutoCloseable {

    private static final Log LOG = Log.of(Poller.class);
    private static final Duration QUICK = Duration.ofMillis(20);
    private static final Duration SLOW = Duration.ofMillis(250);

    private final Ledger ledger;
    private final Clocks clocks;
    private final Map<Long, Watch> watches = new HashMap<>();
    private final Semaphore awake = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;

    /// Starts the thread, which sleeps until somebody waits.
    public Poller(Ledger ledger, Clocks clocks) {
        this.ledger = ledger;
        this.clocks = clocks;
        this.thread = Thread.ofVirtual().name("poller").start(this::run);
    }

    /// One attempt that is watched, by any number of calls.
    static final class Watch {
        private final EntryId id;
        private final long attempt;
        private final long since;
        private final CompletableFuture<LocalAttempt.End> end = new CompletableFuture<>();
        private int calls;

        private Watch(EntryId id, long attempt, long since) {
            this.id = id;
            this.attempt = attempt;
            this.since = since;
        }

        CompletableFuture<LocalAttempt.End> end() {
            return end;
        }
    }

    /// Begins to watch, or joins those who do.
    Watch watch(EntryId id, long attempt) {
        synchronized (watches) {
            Watch watch = watches.computeIfAbsent(attempt, key -> new Watch(id, attempt, clocks.nanos()));
            watch.calls++;
            if (watches.size() == 1) {
                awake.release();
            }
            return watch;
        }
    }

    /// One call waits no longer.
    void leave(Watch watch) {
        synchronized (watches) {
            watch.calls--;
            if (watch.calls == 0) {
                watches.remove(watch.attempt, watch);
            }
        }
    }

    private void run() {
        try {
            while (!closed) {
                List<Watch> now = watched();
                if (now.isEmpty()) {
                    awake.acquire();
                } else {
                    look(now);
                    clocks.sleep(pace(now));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Watch> watched() {
        synchronized (watches) {
            return new ArrayList<>(watches.values());
        }
    }

    private void look(List<Watch> now) {
        try {
            Set<EntryId> ids = new HashSet<>();
            now.forEach(watch -> ids.add(watch.id));
            Map<EntryId, Ledger.Glance> seen = new HashMap<>();
            ledger.glance(ids).forEach(glance -> seen.put(glance.id(), glance));
            for (Watch watch : now) {
                if (isOver(watch, seen.get(watch.id))) {
                    finish(watch);
                }
            }
        } catch (LedgerUnavailable e) {
            // The calls go on waiting: the ledger may come back before their time is spent.
        } catch (RuntimeException e) {
            // A look that fails must not end the watching: the next one tries again.
            LOG.failure(LogEvent.FAILED, e);
        }
    }

    private static boolean isOver(Watch watch, Ledger.@Nullable Glance glance) {
        return glance == null || glance.attempt() != watch.attempt || glance.state() != State.CLAIMED
                || glance.leaseOver();
    }

    private void finish(Watch watch) {
        watch.end.complete(end(watch));
        synchronized (watches) {
            watches.remove(watch.attempt, watch);
        }
    }

    /// A row that cannot be read must not keep the calls that wait for others: those that wait for it look for themselves.
    private LocalAttempt.End end(Watch watch) {
        try {
            return new LocalAttempt.End.Settled(ledger.find(watch.id));
        } catch (LedgerUnavailable e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.failure(LogEvent.FAILED, e, "entry", watch.id);
            return new LocalAttempt.End.LookAgain();
        }
    }

    /// How many attempts are watched.
    int watching() {
        synchronized (watches) {
            return watches.size();
        }
    }

    private Duration pace(List<Watch> now) {
        long youngest = now.stream().mapToLong(watch -> clocks.nanos() - watch.since).min().orElse(0);
        Duration tenth = Duration.ofNanos(youngest / 10);
        return tenth.compareTo(QUICK) < 0 ? QUICK : tenth.compareTo(SLOW) > 0 ? SLOW : tenth;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}

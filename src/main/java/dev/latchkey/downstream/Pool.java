package dev.latchkey.downstream;

import dev.latchkey.gateway.Clocks;
import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Connections that wait for their next request, the last used first. A connection in use holds a place; one that is made
/// anew is made only when none is idle, so there are never more than `places` in all. Safe for any number of threads.
///
/// A request that goes out while the downstream closes the connection ends in doubt, so nothing idle is kept longer than
/// most servers would: two seconds at most, and half of what the downstream's `Keep-Alive` promises, whose clock began
/// before ours. A keyed forward that nobody deduplicates does not even take one that idled for a second: a handshake costs
/// less than a needless doubt (contract §5).
final class Pool {

    private static final Duration KEPT_AT_MOST = Duration.ofSeconds(2);
    private static final Duration FRESH = Duration.ofSeconds(1);

    private final Semaphore places;
    private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();
    private final Clocks clocks;
    private volatile boolean closed;

    Pool(int places, Clocks clocks) {
        this.places = new Semaphore(places);
        this.clocks = clocks;
    }

    void takePlace(Duration atMost) throws NothingSent, InterruptedException {
        if (!places.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new NothingSent("no connection free in time");
        }
        if (closed) {
            places.release();
            throw new NothingSent("the client is closed");
        }
    }

    void leavePlace() {
        places.release();
    }

    /// An idle connection that can be trusted; the caller holds a place.
    ///
    /// @param careful whether a needless doubt would cost more than a handshake
    @Nullable
    Connection poll(boolean careful) {
        Idle candidate = idle.pollFirst();
        while (candidate != null) {
            boolean young = !careful || isWithin(candidate, FRESH);
            if (young && isWithin(candidate, candidate.keep) && candidate.connection.isQuiet()) {
                return candidate.connection;
            }
            candidate.connection.close();
            candidate = idle.pollFirst();
        }
        return null;
    }

    /// Takes back a connection whose response was read whole.
    ///
    /// @param keepAlive how long the downstream says that it waits for a next request; null: it does not say
    void offer(Connection connection, @Nullable Duration keepAlive) {
        Duration promised = keepAlive == null ? KEPT_AT_MOST : keepAlive.dividedBy(2);
        Duration keep = promised.compareTo(KEPT_AT_MOST) < 0 ? promised : KEPT_AT_MOST;
        if (closed || keep.isZero()) {
            connection.close();
            return;
        }
        idle.addFirst(new Idle(connection, keep, clocks.nanos(), clocks.now()));
        if (closed) {
            closeAll();
        }
    }

    /// Closes what has idled for too long.
    void dropOld() {
        for (Idle candidate : List.copyOf(idle)) {
            // Whoever removes it has it alone: one that `poll` hands out must not be closed under its request.
            if (!isWithin(candidate, candidate.keep) && idle.remove(candidate)) {
                candidate.connection.close();
            }
        }
    }

    void close() {
        closed = true;
        closeAll();
    }

    private void closeAll() {
        Idle next = idle.pollFirst();
        while (next != null) {
            next.connection.close();
            next = idle.pollFirst();
        }
    }

    /// By both clocks: one stops in a suspended machine, the other may jump.
    private boolean isWithin(Idle candidate, Duration limit) {
        Duration byWall = Duration.between(candidate.wall, clocks.now()).abs();
        return clocks.nanos() - candidate.nanos < limit.toNanos() && byWall.compareTo(limit) < 0;
    }

    private record Idle(Connection connection, Duration keep, long nanos, Instant wall) {}
}

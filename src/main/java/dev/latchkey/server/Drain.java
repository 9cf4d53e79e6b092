package dev.latchkey.server;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// How a replica leaves: first readiness falls and connections are closed after their answer, so that balancers look
/// elsewhere; then new calls are refused, and those under way end. Safe for any number of threads.
public final class Drain {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition empty = lock.newCondition();
    private volatile boolean leaving;
    private volatile boolean refusing;
    private int underWay;
    private boolean marked;
    private int older;

    /// Readiness falls, and answers carry `Connection: close`.
    public void leave() {
        leaving = true;
    }

    /// New calls are refused from now on.
    public void refuse() {
        leaving = true;
        refusing = true;
    }

    /// Whether the replica is on its way out.
    public boolean isLeaving() {
        return leaving;
    }

    /// Whether new calls are refused.
    public boolean isRefusing() {
        return refusing;
    }

    /// From now on the calls under way are the older ones.
    public void mark() {
        lock.lock();
        try {
            marked = true;
            older = underWay;
        } finally {
            lock.unlock();
        }
    }

    /// Whether a call that was under way at the mark still is.
    public boolean hasOlder() {
        lock.lock();
        try {
            return older > 0;
        } finally {
            lock.unlock();
        }
    }

    /// Calls not yet answered.
    public int underWay() {
        lock.lock();
        try {
            return underWay;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until no call is under way.
    ///
    /// @return false where some still are when the time is spent
    /// @throws InterruptedException when interrupted
    public boolean awaitEmpty(Duration time) throws InterruptedException {
        long left = time.toNanos();
        lock.lock();
        try {
            while (underWay > 0) {
                if (left <= 0) {
                    return false;
                }
                left = empty.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Counts a call until it is closed.
    Visit enter() {
        boolean before;
        lock.lock();
        try {
            underWay++;
            before = !marked;
        } finally {
            lock.unlock();
        }
        return () -> exit(before);
    }

    private void exit(boolean before) {
        lock.lock();
        try {
            underWay--;
            if (marked && before) {
                older--;
            }
            if (underWay == 0) {
                empty.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// One call that is counted.
    interface Visit extends AutoCloseable {
        @Override
        void close();
    }
}

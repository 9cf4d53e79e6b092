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
        lock.lock();
        try {
            underWay++;
        } finally {
            lock.unlock();
        }
        return this::exit;
    }

    private void exit() {
        lock.lock();
        try {
            underWay--;
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

package dev.latchkey.server;

import dev.latchkey.gateway.ByteBudget;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The lines of one batch under way and its answers until they are sent, and how much they take: whoever reads lines waits
/// here for room, whoever writes answers waits for the next. Safe for any number of threads.
final class AnswerQueue {

    private final long most;
    private final ByteBudget budget;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition less = lock.newCondition();
    private final Condition more = lock.newCondition();
    private final Deque<Ready> ready = new ArrayDeque<>();
    private long held;
    private int underWay;
    private boolean noMoreLines;
    private boolean callerGone;

    private record Ready(AnswerLine.Sendable line, ByteBudget.Share share) {}

    /// @param most bytes held before no further line is begun
    AnswerQueue(long most, ByteBudget budget) {
        this.most = most;
        this.budget = budget;
    }

    /// Waits until there is room for another line.
    ///
    /// @return false where the caller is gone: no further line is begun
    boolean awaitRoom() {
        lock.lock();
        try {
            while (held >= most && !callerGone) {
                less.awaitUninterruptibly();
            }
            return !callerGone;
        } finally {
            lock.unlock();
        }
    }

    /// A line is under way from now on.
    ///
    /// @return false where the caller is gone: it must not be begun
    boolean begin(long weight) {
        lock.lock();
        try {
            if (callerGone) {
                return false;
            }
            held += weight;
            underWay++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// A line is no longer under way.
    ///
    /// @param weight the same as when it began
    /// @param answer null: it broke, and there is none
    void end(long weight, AnswerLine.@Nullable Sendable answer) {
        lock.lock();
        try {
            held -= weight;
            underWay--;
            if (answer != null && !callerGone) {
                ByteBudget.Share share = budget.open();
                share.force(answer.weight());
                held += answer.weight();
                ready.add(new Ready(answer, share));
            }
            more.signalAll();
            less.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// No further line comes.
    void close() {
        lock.lock();
        try {
            noMoreLines = true;
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Nobody reads answers any more.
    void leave() {
        lock.lock();
        try {
            callerGone = true;
            ready.forEach(each -> each.share().close());
            ready.clear();
            less.signalAll();
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the next answer, which is held no longer; null: every line is answered.
    AnswerLine.@Nullable Sendable next() {
        lock.lock();
        try {
            while (ready.isEmpty() && !callerGone && !(noMoreLines && underWay == 0)) {
                more.awaitUninterruptibly();
            }
            Ready next = ready.poll();
            if (next == null) {
                return null;
            }
            held -= next.line().weight();
            next.share().close();
            less.signalAll();
            return next.line();
        } finally {
            lock.unlock();
        }
    }

    /// Bytes held.
    long held() {
        lock.lock();
        try {
            return held;
        } finally {
            lock.unlock();
        }
    }

    /// Whether an answer is ready.
    boolean hasNext() {
        lock.lock();
        try {
            return !ready.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Whether a line is under way or an answer is not taken yet.
    boolean isBusy() {
        lock.lock();
        try {
            return underWay > 0 || !ready.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    boolean isCallerGone() {
        lock.lock();
        try {
            return callerGone;
        } finally {
            lock.unlock();
        }
    }
}

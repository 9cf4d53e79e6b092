package dev.latchkey.gateway;

import java.util.concurrent.atomic.AtomicLong;

/// How many bytes of bodies the replica holds at once. Safe for any number of threads; never blocks.
public final class ByteBudget {

    private final long most;
    private final AtomicLong held = new AtomicLong();

    /// @param most bytes in all
    public ByteBudget(long most) {
        this.most = most;
    }

    /// A share that grows as its owner holds more.
    public Share open() {
        return new Share();
    }

    /// Bytes held now.
    public long held() {
        return held.get();
    }

    private boolean take(long bytes) {
        if (held.addAndGet(bytes) <= most) {
            return true;
        }
        held.addAndGet(-bytes);
        return false;
    }

    /// What one call holds. Closing gives all of it back, and nothing is taken after: the thread that takes more may be
    /// another than the one that closes.
    public final class Share implements AutoCloseable {

        private long mine;
        private boolean closed;

        private Share() {}

        /// Takes more.
        ///
        /// @return false where the budget has not so much left; nothing is taken then
        public synchronized boolean grow(long bytes) {
            if (closed || !take(bytes)) {
                return false;
            }
            mine += bytes;
            return true;
        }

        /// Takes more although the budget may be spent: what is there already cannot be refused, but new calls are, until it
        /// is gone.
        public synchronized void force(long bytes) {
            if (!closed) {
                held.addAndGet(bytes);
                mine += bytes;
            }
        }

        /// Bytes that it holds now.
        public synchronized long held() {
            return mine;
        }

        @Override
        public synchronized void close() {
            closed = true;
            held.addAndGet(-mine);
            mine = 0;
        }
    }
}

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

    /// What one call holds. Closing gives all of it back, once.
    public final class Share implements AutoCloseable {

        private final AtomicLong mine = new AtomicLong();

        private Share() {}

        /// Takes more.
        ///
        /// @return false where the budget has not so much left; nothing is taken then
        public boolean grow(long bytes) {
            if (!take(bytes)) {
                return false;
            }
            mine.addAndGet(bytes);
            return true;
        }

        /// Takes more although the budget may be spent: what is there already cannot be refused, but new calls are, until it
        /// is gone.
        void force(long bytes) {
            held.addAndGet(bytes);
            mine.addAndGet(bytes);
        }

        @Override
        public void close() {
            held.addAndGet(-mine.getAndSet(0));
        }
    }
}

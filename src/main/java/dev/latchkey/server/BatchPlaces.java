package dev.latchkey.server;

import java.util.concurrent.Semaphore;

/// The places of lines under way: so many of each batch, and so many of all batches. Each batch asks for one at a time, and
/// the first who asks is the first who gets: so of two batches that want more than there is, each gets every other place,
/// however many lines the one that came first has left. Safe for any number of threads.
final class BatchPlaces {

    private final Semaphore all;
    private final int each;

    /// @param each places of one batch
    /// @param all places of all batches
    BatchPlaces(int each, int all) {
        this.each = each;
        this.all = new Semaphore(all, true);
    }

    /// The places of a batch that begins.
    Share open() {
        return new Share();
    }

    /// How many batches wait for a place.
    int asking() {
        return all.getQueueLength();
    }

    /// How many places are free.
    int free() {
        return all.availablePermits();
    }

    /// One batch's places.
    final class Share {
        private final Semaphore mine = new Semaphore(each);

        private Share() {}

        /// Waits for a place. Called by one thread of the batch only: a second one would ask out of turn.
        void take() {
            // Its own first: who holds a place of all batches has a line to use it for.
            mine.acquireUninterruptibly();
            all.acquireUninterruptibly();
        }

        void give() {
            all.release();
            mine.release();
        }
    }
}

package dev.latchkey.postgres;

import java.util.concurrent.TimeUnit;

/// How many batches may be written at once. One lane groups best where a commit is quick. Where each flush of the log is
/// slow, a single lane mostly waits, while the server groups the flushes of several by itself: then all open.
///
/// Whether commits are slow is seen with one lane only, and by the quickest of some: several lanes share a flush and each
/// other's processor, and on a busy machine most commits wait for a processor and not for the disk. So after a while all
/// but one close again, for a look. Safe for any number of threads.
final class Lanes {

    private static final long SLOW = TimeUnit.MICROSECONDS.toNanos(1_500);
    /// To send a row and to read it back takes about so long; what is left is the commit.
    private static final long ROW = TimeUnit.MICROSECONDS.toNanos(5);
    private static final int LOOK = 32;
    private static final int ALL_OPEN = 4_096;

    private final int most;
    private int commits;
    private long quickest = Long.MAX_VALUE;
    private volatile int open = 1;

    /// @param most lanes
    Lanes(int most) {
        this.most = most;
    }

    /// How many batches may be under way now.
    int open() {
        return open;
    }

    /// A batch was committed.
    ///
    /// @param nanos from its statement's sending to its acknowledgement, without the work on the rows
    synchronized void committed(long nanos, int rows) {
        commits++;
        if (open > 1) {
            if (commits >= ALL_OPEN) {
                open = 1;
                // What the closed lanes have under way says nothing of one lane.
                commits = -most;
            }
            return;
        }
        if (commits > 0) {
            quickest = Math.min(quickest, nanos - rows * ROW);
        }
        if (commits >= LOOK) {
            open = quickest > SLOW ? most : 1;
            commits = 0;
            quickest = Long.MAX_VALUE;
        }
    }
}

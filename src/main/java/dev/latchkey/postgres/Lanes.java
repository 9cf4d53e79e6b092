package dev.latchkey.postgres;

import java.util.concurrent.TimeUnit;

/// How many batches may be written at once. One lane groups best where a commit is quick; where each flush of the log is
/// slow the server groups the flushes of many by itself, and one lane would only wait. So lanes open while commits are slow
/// and close while they are quick.
///
/// Judged by the quickest of the last commits: on a busy machine the others wait for a processor, not for the disk. Safe
/// for any number of threads.
final class Lanes {

    private static final int COMMITS = 16;
    private static final long SLOW = TimeUnit.MICROSECONDS.toNanos(1_000);
    private static final long QUICK = TimeUnit.MICROSECONDS.toNanos(500);

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
    /// @param nanos from the end of its statement's work to its acknowledgement
    synchronized void committed(long nanos) {
        quickest = Math.min(quickest, nanos);
        commits++;
        if (commits < COMMITS) {
            return;
        }
        if (quickest > SLOW && open < most) {
            open++;
        } else if (quickest < QUICK && open > 1) {
            open--;
        }
        commits = 0;
        quickest = Long.MAX_VALUE;
    }
}

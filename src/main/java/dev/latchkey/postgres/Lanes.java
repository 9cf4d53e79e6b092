package dev.latchkey.postgres;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// How many batches may be written at once. One lane groups best where a commit is quick. Where each flush of the log is
/// slow, a single lane mostly waits, while the server groups the flushes of several by itself: then all open, and stay open
/// if as much is written then.
///
/// Whether commits are slow is seen with one lane only, and by the quickest of some: several lanes share a flush and each
/// other's processor, and on a busy machine most commits wait for a processor and not for the disk. So after a while all
/// but one close again, for a look. A look may be wrong, and small batches cost more than a slow flush where many call: so
/// what is written in a time is compared before and after. Safe for any number of threads.
final class Lanes {

    private static final long SLOW = TimeUnit.MICROSECONDS.toNanos(1_500);
    /// To send a row and to read it back takes about so long; what is left is the commit.
    private static final long ROW = TimeUnit.MICROSECONDS.toNanos(5);
    private static final int LOOK = 32;
    private static final int TRY = 64;
    private static final int OPEN = 4_096;
    /// Soon, for it may be that fewer call by then: with one lane few have to wait long.
    private static final int CLOSED = 128;
    /// What may be missing of the one lane's rows in a time: where few call, all that they ask for is written either way, and
    /// sooner with several lanes.
    private static final double AS_MUCH = 0.95;

    private enum Phase {
        /// One is open: are commits slow?
        LOOK,
        /// All are open: is as much written?
        TRY,
        /// It stays as it was found until the next look.
        REST
    }

    private final int most;
    private final LongSupplier nanos;
    private Phase phase = Phase.LOOK;
    private int commits;
    private long rows;
    private long since;
    private long quickest = Long.MAX_VALUE;
    private double ofOneLane;
    private boolean triedAgain;
    private volatile int open = 1;

    /// @param most lanes
    /// @param nanos a monotonic clock
    Lanes(int most, LongSupplier nanos) {
        this.most = most;
        this.nanos = nanos;
        this.since = nanos.getAsLong();
    }

    /// One is open, whatever commits take.
    ///
    /// @param most of them, with those by which others pass a batch that is stuck
    static Lanes one(int most) {
        return new Lanes(most, () -> 0);
    }

    /// How many batches may be under way now.
    int open() {
        return open;
    }

    /// How many there are.
    int most() {
        return most;
    }

    /// A batch was committed.
    ///
    /// @param took from its statement's sending to its acknowledgement, without the work on the rows; nanoseconds
    /// @param written its rows
    synchronized void committed(long took, int written) {
        commits++;
        if (commits == 0) {
            since = nanos.getAsLong();
        }
        if (commits <= 0) {
            return;
        }
        rows += written;
        quickest = Math.min(quickest, took - written * ROW);
        switch (phase) {
            case LOOK -> look();
            case TRY -> compare();
            case REST -> {
                if (commits >= (open > 1 ? OPEN : CLOSED)) {
                    begin(Phase.LOOK, 1);
                }
            }
        }
    }

    private void look() {
        if (commits < LOOK) {
            return;
        }
        ofOneLane = rate();
        if (quickest > SLOW && most > 1) {
            begin(Phase.TRY, most);
        } else {
            begin(Phase.LOOK, 1);
        }
    }

    /// Once more before they close: in so short a time a hiccup, a pause of the callers or connections that are still to be
    /// made decide.
    private void compare() {
        if (commits < TRY) {
            return;
        }
        if (rate() >= AS_MUCH * ofOneLane) {
            begin(Phase.REST, most);
        } else if (triedAgain) {
            begin(Phase.REST, 1);
        } else {
            begin(Phase.TRY, most);
            triedAgain = true;
        }
    }

    private double rate() {
        return (double) rows / Math.max(1, nanos.getAsLong() - since);
    }

    /// What is still under way as it was before says nothing.
    private void begin(Phase next, int lanes) {
        commits = lanes == open ? 0 : -most;
        rows = 0;
        since = nanos.getAsLong();
        quickest = Long.MAX_VALUE;
        triedAgain = false;
        phase = next;
        open = lanes;
    }
}

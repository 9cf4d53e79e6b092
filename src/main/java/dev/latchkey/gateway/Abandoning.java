package dev.latchkey.gateway;

import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.Transition;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Releases claims whose commit is unknown and whose callers were told that nothing was forwarded: nothing is ever sent
/// under them (G8), and each is released as often as it appears, until it surely cannot any more (G9): not before its time
/// is over, and not while the ledger has a problem, for a commit that waits for a standby appears when that is back, hours
/// later. One thread for all of them while there are any, since a ledger that hangs leaves thousands. Safe for any number of
/// threads.
final class Abandoning {

    private static final Log LOG = Log.of(Abandoning.class);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    /// How long a claim whose commit is unknown may still appear: longer than any statement or dead connection lives.
    private static final Duration SURELY_GONE = Duration.ofSeconds(60);

    private final Ledger ledger;
    private final Clocks clocks;
    private final Executor background;
    private final Deque<Dead> all = new ArrayDeque<>();
    private boolean running;
    private boolean fresh;

    Abandoning(Ledger ledger, Clocks clocks, Executor background) {
        this.ledger = ledger;
        this.clocks = clocks;
        this.background = background;
    }

    /// @param missed a look that nothing stood against has found nothing
    private record Dead(EntryId id, long attempt, Transition transition, Patience until, boolean missed) {

        /// Commits that waited appear a moment after the standby is back: once is not enough.
        Dead missedOnce() {
            return new Dead(id, attempt, transition, until, true);
        }
    }

    /// From now on the claim is dead.
    void add(Claim claim) {
        // A re-forward that sent nothing says nothing about the forward before it (G2).
        Transition transition = claim.grounds() instanceof Grounds.Reforward
                ? Transition.Doubt.of(Cause.NOT_SENT)
                : new Transition.Release(Cause.ABANDONED);
        synchronized (this) {
            all.add(new Dead(claim.ask().id(), claim.attempt(), transition, Patience.of(clocks, SURELY_GONE), false));
            fresh = true;
            if (running) {
                return;
            }
            running = true;
        }
        try {
            background.execute(this::run);
        } catch (RejectedExecutionException e) {
            // The process ends: whatever still appears is swept once its lease is over.
        }
    }

    /// How many are not surely gone.
    synchronized int count() {
        return all.size();
    }

    private void run() {
        try {
            Duration pause = FIRST_PAUSE;
            while (round()) {
                pause = isFresh() ? FIRST_PAUSE : longer(pause);
                clocks.sleep(pause);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    private synchronized boolean isFresh() {
        boolean was = fresh;
        fresh = false;
        return was;
    }

    /// Goes through all of them, as long as the ledger answers.
    ///
    /// @return whether any is left
    private boolean round() {
        for (int left = count(); left > 0; left--) {
            Dead next = take();
            if (next == null) {
                break;
            }
            Result result = release(next);
            switch (result) {
                case GONE -> {
                    // Nothing of it is left.
                }
                case MISSED -> putBack(next.missedOnce());
                case MAY_APPEAR, NO_ANSWER -> putBack(next);
            }
            if (result == Result.NO_ANSWER) {
                break;
            }
        }
        return goesOn();
    }

    private enum Result { GONE, MISSED, MAY_APPEAR, NO_ANSWER }

    private Result release(Dead dead) {
        // Read before the look: only a look that began after that time finds all that ever appears.
        boolean last = dead.until().isSpent() && ledger.health().problem() == null;
        Result missed = !last ? Result.MAY_APPEAR : dead.missed() ? Result.GONE : Result.MISSED;
        try {
            boolean applied =
                    ledger.settle(dead.id(), dead.attempt(), dead.transition()) instanceof Ledger.Settled.Applied;
            return applied ? Result.GONE : missed;
        } catch (LedgerUnavailable e) {
            return Result.NO_ANSWER;
        } catch (RuntimeException e) {
            LOG.failure(LogEvent.FAILED, e, "entry", dead.id());
            return missed;
        }
    }

    private synchronized @Nullable Dead take() {
        return all.poll();
    }

    private synchronized void putBack(Dead dead) {
        all.add(dead);
    }

    private synchronized boolean goesOn() {
        running = !all.isEmpty();
        return running;
    }
}

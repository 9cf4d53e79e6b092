package dev.latchkey.model;

/// One call on its way, and the attempt that it makes, if any. Mutable, copied with its [World].
final class Caller {

    /// Where it stands.
    enum At {
        NOT_YET,
        /// About to hand its claim to the ledger.
        CLAIM,
        /// Its claim lost: about to read what the ledger holds. Or told to look.
        LOOK,
        /// Waits for an attempt that another replica makes.
        WATCH,
        /// Waits for an attempt of its own replica.
        ATTACHED,
        /// About to put a claim in doubt whose lease is over.
        SWEEP,
        /// About to keep what it read in its replica's memory, and to replay it.
        LEARN,
        /// Nobody knows whether its claim is committed.
        UNKNOWN,
        /// Its claim is confirmed; about to read it.
        CONFIRMED,
        /// Its claim is unknown and its caller was told 503.
        ABANDONED,
        /// Its claim is won.
        WON,
        /// Past its last check, before its first byte.
        CHECKED,
        SENT,
        /// Knows the outcome; about to settle.
        SETTLE,
        /// Its transition lost: about to read what the ledger holds.
        LOST,
        /// What it read is its own transition, committed before: about to confirm it.
        RECONFIRM,
        /// Its row is gone: about to put it back.
        PUT_BACK,
        DONE,
        /// Its replica died.
        DEAD
    }

    /// What its forward came to.
    enum Came {
        NOTHING_YET(0), NOT_SENT(0), OK(201), REJECTED(422), TOO_MANY(429), FAILED(500), COPY(409), TIMED_OUT(0);

        private final int status;

        Came(int status) {
            this.status = status;
        }

        int status() {
            return status;
        }

        boolean answered() {
            return status != 0;
        }
    }

    /// On which grounds it claims: 0 no entry, 1 a new generation, 2 a re-forward.
    int grounds;
    At at = At.NOT_YET;
    /// The attempt that its claim builds on, or that it waits for; or the call that it is attached to.
    int seen;
    /// What it builds on was past its retention.
    boolean sawExpired;
    boolean waited;
    boolean alone;
    /// Its send window is shut, though it may not know.
    boolean late;
    boolean answered;
    boolean told503;
    /// Its claim is a re-forward.
    boolean again;
    /// It was claimed while the downstream's window was closing.
    boolean tight;
    int correction;
    /// Its claim's transaction is open on a connection that was lost.
    boolean open;
    Came came = Came.NOTHING_YET;
    /// Which generation of answers it arrived in.
    int era;
    /// What it is about to learn and replay.
    int learning;

    Caller copy() {
        Caller next = new Caller();
        next.grounds = grounds;
        next.at = at;
        next.seen = seen;
        next.sawExpired = sawExpired;
        next.waited = waited;
        next.alone = alone;
        next.late = late;
        next.answered = answered;
        next.told503 = told503;
        next.again = again;
        next.tight = tight;
        next.correction = correction;
        next.open = open;
        next.came = came;
        next.era = era;
        next.learning = learning;
        return next;
    }

    /// Lets go of all that is of no use to a call that is over.
    void end(At how, boolean underWay) {
        at = how;
        grounds = 0;
        seen = 0;
        sawExpired = false;
        waited = false;
        alone = false;
        late = false;
        came = Came.NOTHING_YET;
        learning = 0;
        era = 0;
        if (!underWay) {
            forwardIsOver();
        }
    }

    /// Nothing of its forward is under way any more.
    void forwardIsOver() {
        again = false;
        tight = false;
        correction = 0;
    }

    boolean over() {
        return at == At.DONE || at == At.DEAD;
    }

    /// Whether its replica knows of its attempt, for equal calls to attach to.
    boolean local() {
        return switch (at) {
            case CLAIM, LOOK, UNKNOWN, CONFIRMED, WON, CHECKED, SENT, SETTLE, LOST, RECONFIRM, PUT_BACK -> true;
            default -> false;
        };
    }

    // A number for hashing, nothing that is kept.
    @SuppressWarnings("EnumOrdinal")
    long key() {
        long bits = at.ordinal();
        bits = bits * 3 + grounds;
        bits = bits * 128 + seen;
        bits = bits * 8 + came.ordinal();
        bits = bits * 4 + correction;
        bits = bits * 8 + era;
        bits = bits * 2 + (sawExpired ? 1 : 0);
        bits = bits * 2 + (waited ? 1 : 0);
        bits = bits * 2 + (alone ? 1 : 0);
        bits = bits * 2 + (late ? 1 : 0);
        bits = bits * 2 + (answered ? 1 : 0);
        bits = bits * 2 + (told503 ? 1 : 0);
        bits = bits * 2 + (again ? 1 : 0);
        bits = bits * 2 + (tight ? 1 : 0);
        bits = bits * 2 + (open ? 1 : 0);
        return bits * 1_000_003 + learning;
    }
}

package dev.latchkey.postgres;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// How far a purge has come. It goes on from there: what is recorded now is due later than what has gone, but where a clock
/// was set back. For that it looks from the beginning now and then, as it does in a new process. What may be due long since
/// when it comes to be, as a key that is freed late, is looked for from the beginning whenever nothing more was left. Safe
/// for any number of threads.
final class PurgeMark {

    /// Rounds after which nothing more was left, about an hour of them.
    static final int ROUNDS = 720;

    private final boolean ordered;
    private Instant since = Instant.EPOCH;
    private int rounds;

    /// @param ordered whether what comes to be later is due later
    PurgeMark(boolean ordered) {
        this.ordered = ordered;
    }

    /// From when to look.
    synchronized Instant since() {
        return since;
    }

    /// A chunk was looked for.
    ///
    /// @param upto due the latest of what was found and need not be looked at again; null: nothing was found
    /// @param more whether there may be more
    synchronized void looked(@Nullable Instant upto, boolean more) {
        if (!more && (!ordered || ++rounds == ROUNDS)) {
            since = Instant.EPOCH;
            rounds = 0;
        } else if (upto != null) {
            since = upto;
        }
    }
}

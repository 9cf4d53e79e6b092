package dev.latchkey.gateway;

import java.time.Duration;

/// How much to purge at once, and how long to rest after it. A chunk is as large as gets done in a moment, on whatever server
/// under whatever load: so long at most waits who needs one of its rows. While calls are under way the purge takes only a
/// share of the time; else it does not rest. For one thread.
final class PurgePace {

    /// Once this many rows of a kind are not too many, it is the moment that decides.
    private static final int MOST = 5_000;
    private static final int LEAST = 50;
    private static final int FIRST = 500;
    private static final long MOMENT = Duration.ofMillis(20).toNanos();
    /// A rest, in chunks.
    private static final int REST = 4;
    private static final Duration LONGEST_REST = Duration.ofSeconds(2);

    private int rows = FIRST;

    /// How many rows of a kind to delete at once.
    int rows() {
        return rows;
    }

    /// A chunk could not be deleted: the next is a quarter of it.
    void failed() {
        rows = Math.max(LEAST, rows / 4);
    }

    /// A chunk was deleted: adapts to how long it took.
    ///
    /// @param nanos how long
    /// @param calls whether calls were under way
    /// @return for how long to rest now
    Duration rest(long nanos, boolean calls) {
        double ratio = Math.clamp((double) MOMENT / Math.max(1, nanos), 0.25, 2);
        rows = Math.clamp(Math.round(rows * ratio), LEAST, MOST);
        if (!calls) {
            return Duration.ZERO;
        }
        Duration rest = Duration.ofNanos(nanos).multipliedBy(REST);
        return rest.compareTo(LONGEST_REST) < 0 ? rest : LONGEST_REST;
    }
}

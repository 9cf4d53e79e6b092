package dev.latchkey.postgres;

import dev.latchkey.gateway.Ledger.Purged;
import dev.latchkey.protocol.Cause;
import java.time.Duration;
import java.util.List;

/// Sweeps and purges, a bounded chunk at once. Safe for any number of threads.
final class Housekeeping {

    private final Database database;
    private final Purging responses = new Purging(UpkeepSql.RESPONSES, new PurgeMark(true));
    private final Purging recorded = new Purging(UpkeepSql.RECORDED, new PurgeMark(true));
    private final Purging rejections = new Purging(UpkeepSql.REJECTIONS, new PurgeMark(true));
    private final Purging released = new Purging(UpkeepSql.RELEASED, new PurgeMark(false));

    Housekeeping(Database database) {
        this.database = database;
    }

    int sweep(int most) {
        return database.write("sweep", handle -> handle.createQuery(UpkeepSql.SWEEP)
                .bind("most", most)
                .bind("cause", Cause.LEASE_OVER.name())
                .mapTo(Integer.class)
                .one());
    }

    /// Responses first: they go before their entries.
    Purged purge(int most, Duration keepFreed) {
        List<Purging.Chunk> chunks =
                List.of(
                        responses.chunk(database, most, Duration.ZERO),
                        recorded.chunk(database, most, Duration.ZERO),
                        rejections.chunk(database, most, keepFreed),
                        released.chunk(database, most, keepFreed));
        int rows = chunks.stream().mapToInt(Purging.Chunk::gone).sum();
        return new Purged(
                rows,
                chunks.stream().anyMatch(Purging.Chunk::more),
                chunks.stream().map(Purging.Chunk::behind).max(Duration::compareTo).orElse(Duration.ZERO),
                rows > 0 && callsUnderWay());
    }

    private boolean callsUnderWay() {
        return database.read("look for calls", handle -> handle.createQuery(UpkeepSql.CALLS_UNDER_WAY)
                .mapTo(Boolean.class)
                .one());
    }
}

package dev.latchkey.postgres;

import dev.latchkey.protocol.Cause;
import java.time.Duration;

/// Sweeps and purges, a bounded chunk at once.
final class Housekeeping {

    private final Database database;

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

    int purge(int most, Duration keepFreed) {
        return chunk(UpkeepSql.PURGE_RESPONSES, most)
                + chunk(UpkeepSql.PURGE_RECORDED, most)
                + freed(UpkeepSql.PURGE_REJECTIONS, most, keepFreed)
                + freed(UpkeepSql.PURGE_RELEASED, most, keepFreed);
    }

    private int chunk(String sql, int most) {
        return database.write("purge", handle -> handle.createQuery(sql).bind("most", most).mapTo(Integer.class).one());
    }

    private int freed(String sql, int most, Duration keepFreed) {
        return database.write("purge", handle -> handle.createQuery(sql)
                .bind("most", most)
                .bind("keepFreed", Micros.of(keepFreed))
                .mapTo(Integer.class)
                .one());
    }
}

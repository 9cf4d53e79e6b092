package dev.latchkey.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// Purges one kind of row, each chunk from where the last one ended. Safe for any number of threads.
final class Purging {

    private final UpkeepSql.Kind kind;
    private final PurgeMark mark;

    Purging(UpkeepSql.Kind kind, PurgeMark mark) {
        this.kind = kind;
        this.mark = mark;
    }

    /// What became of a chunk.
    ///
    /// @param gone rows deleted
    /// @param more whether there may be more
    /// @param behind how long its oldest row was past its retention; zero: nothing was
    record Chunk(int gone, boolean more, Duration behind) {}

    /// @param kept for how long rows of this kind stay when their time is over
    Chunk chunk(Database database, int most, Duration kept) {
        Instant from = mark.since();
        Look look = database.write("purge", handle -> stretch(handle, from, most, kept));
        int gone = look.gone;
        if (look.oneMoment) {
            gone = database.write("purge", handle -> moment(handle, look, most, kept));
        }
        mark.looked(look.upto == null ? look.last : look.upto, look.picked == most);
        return new Chunk(gone, look.picked == most, look.behind);
    }

    private Look stretch(Handle handle, Instant from, int most, Duration kept) {
        return handle.createQuery(kind.stretch())
                .bind("since", from)
                .bind("most", most)
                .bind("kept", Micros.of(kept))
                .map((row, context) -> Look.of(row))
                .one();
    }

    private int moment(Handle handle, Look look, int most, Duration kept) {
        return handle.createQuery(kind.moment())
                .bind("moment", look.last)
                .bind("most", most)
                .bind("kept", Micros.of(kept))
                .mapTo(Integer.class)
                .one();
    }

    /// @param upto what the stretch ended with; null: it deleted nothing
    /// @param last due the latest of what was picked; null: nothing was
    private record Look(
            int gone, int picked, @Nullable Instant upto, @Nullable Instant last, boolean oneMoment, Duration behind) {

        static Look of(ResultSet row) throws SQLException {
            return new Look(
                    row.getInt("gone"), row.getInt("picked"), Rows.maybeInstant(row, "upto"),
                    Rows.maybeInstant(row, "last"), row.getBoolean("one_moment"),
                    Duration.ofMillis((long) (row.getDouble("behind") * 1_000)));
        }
    }
}

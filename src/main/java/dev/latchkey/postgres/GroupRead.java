package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.postgres.Gathering.Outcome;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/// Reads the entries that many calls ask for in one query, which begins after they asked. Safe for any number of threads.
final class GroupRead {

    /// A body above this is read alone, so that a batch stays small in memory.
    private static final int LARGEST_BODY = 64 * 1024;
    private static final Gathering.Bounds BOUNDS = new Gathering.Bounds(128, Long.MAX_VALUE);

    private final Database database;
    private final Function<EntryId, Optional<Found>> alone;
    private final Rows rows;
    private final Gathering<EntryId, Optional<Found>> gathering;

    /// @param database connections set up by [BatchSql#SESSION]
    /// @param lanes how many queries may be under way
    /// @param alone reads one
    GroupRead(
            Database database, Lanes lanes, Function<EntryId, Optional<Found>> alone, Rows rows, Clocks clocks) {
        this.database = database;
        this.alone = alone;
        this.rows = rows;
        this.gathering = new Gathering<>(this::carryOut, alone, lanes, BOUNDS, clocks);
    }

    Optional<Found> find(EntryId id) {
        return gathering.submit(id, 0);
    }

    private List<Outcome<Optional<Found>>> carryOut(List<EntryId> ids) {
        try {
            return ids.size() == 1 ? List.of(new Outcome.Done<>(alone.apply(ids.getFirst()))) : together(ids);
        } catch (LedgerUnavailable e) {
            throw e;
        } catch (RuntimeException e) {
            // A row that cannot be read must not keep those who ask for others: who asks for it is told why.
            return Outcome.forAll(ids, new Outcome.Alone<>());
        }
    }

    private List<Outcome<Optional<Found>>> together(List<EntryId> ids) {
        Map<UUID, Outcome<Optional<Found>>> seen = new HashMap<>();
        database.read("find entries", handle -> handle.createQuery(BatchSql.FIND)
                .bind("largest", LARGEST_BODY)
                .bind("ids", ids.stream().map(EntryId::uuid).toArray(UUID[]::new))
                .map((row, context) -> seen.put(row.getObject("entry_id", UUID.class), outcome(row)))
                .list());
        return ids.stream()
                .map(id -> seen.getOrDefault(id.uuid(), new Outcome.Done<>(Optional.empty())))
                .toList();
    }

    private Outcome<Optional<Found>> outcome(ResultSet row) throws SQLException {
        return row.getBoolean("too_large")
                ? new Outcome.Alone<>()
                : new Outcome.Done<>(Optional.of(rows.found(row)));
    }
}

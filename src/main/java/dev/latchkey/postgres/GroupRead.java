package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.postgres.Gathering.Outcome;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
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
    private final Gathering<EntryId, Looked> gathering;

    /// @param database connections set up by [BatchSql#SESSION]
    /// @param alone reads one
    GroupRead(Database database, Function<EntryId, Optional<Found>> alone, Clocks clocks) {
        this.database = database;
        this.alone = alone;
        this.gathering = new Gathering<>(this::carryOut, new Lanes(1), BOUNDS, clocks);
    }

    private sealed interface Looked {
        record Saw(Optional<Found> found) implements Looked {}

        /// It goes alone, on its own caller's thread.
        record NotYet() implements Looked {}
    }

    Optional<Found> find(EntryId id) {
        return switch (gathering.submit(id, 0)) {
            case Looked.Saw saw -> saw.found();
            case Looked.NotYet _ -> alone.apply(id);
        };
    }

    private List<Outcome<Looked>> carryOut(List<EntryId> ids) {
        if (ids.size() == 1) {
            return List.of(done(new Looked.Saw(alone.apply(ids.getFirst()))));
        }
        try {
            Map<UUID, Looked> seen = together(ids);
            return ids.stream().map(id -> done(seen.getOrDefault(id.uuid(), new Looked.Saw(Optional.empty()))))
                    .toList();
        } catch (LedgerUnavailable e) {
            throw e;
        } catch (RuntimeException e) {
            // A row that cannot be read must not keep those who ask for others.
            return ids.stream().map(_ -> done(new Looked.NotYet())).toList();
        }
    }

    private static Outcome<Looked> done(Looked looked) {
        return new Outcome.Done<>(looked);
    }

    private Map<UUID, Looked> together(List<EntryId> ids) {
        return database.read("find entries", handle -> {
            Map<UUID, Looked> seen = new HashMap<>();
            handle.createQuery(BatchSql.FIND)
                    .bind("largest", LARGEST_BODY)
                    .bind("ids", ids.stream().map(EntryId::uuid).toArray(UUID[]::new))
                    .map((row, context) -> seen.put(
                            row.getObject("entry_id", UUID.class),
                            row.getBoolean("too_large")
                                    ? new Looked.NotYet()
                                    : new Looked.Saw(Optional.of(Rows.found(row)))))
                    .list();
            return seen;
        });
    }
}

package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Ledger.Counts;
import dev.latchkey.gateway.Ledger.DoubtGroup;
import dev.latchkey.gateway.Ledger.DoubtGroups;
import dev.latchkey.gateway.Ledger.Doubts;
import dev.latchkey.gateway.Ledger.Ended;
import dev.latchkey.gateway.Ledger.Event;
import dev.latchkey.gateway.Ledger.Page;
import dev.latchkey.gateway.Ledger.Query;
import dev.latchkey.gateway.Ledger.Watched;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/// Reads the ledger, each time in a transaction of its own.
final class Reads {

    /// A longer count would take its time.
    private static final int MOST_COUNTED = 100_000;
    /// Fewer are counted, since statistics may be old.
    private static final int FEW = 10_000;

    private final Database database;
    private final Rows rows;
    private final @Nullable GroupRead group;

    /// Each entry is read alone.
    Reads(Database database, Rows rows) {
        this.database = database;
        this.rows = rows;
        this.group = null;
    }

    /// Entries are read together.
    ///
    /// @param own connections set up by [BatchSql#SESSION]
    /// @param lanes how many queries may be under way on them
    Reads(Database database, Database own, Lanes lanes, Rows rows, Clocks clocks) {
        this.database = database;
        this.rows = rows;
        this.group = new GroupRead(own, lanes, this::alone, rows, clocks);
    }

    @Nullable
    Found find(EntryId id) {
        return (group == null ? alone(id) : group.find(id)).orElse(null);
    }

    private Optional<Found> alone(EntryId id) {
        return database.read("find an entry", handle -> handle.createQuery(ReadSql.FIND)
                .bind("id", id.uuid())
                .map((row, context) -> rows.found(row))
                .findOne());
    }

    List<Ended> look(Collection<Watched> attempts, long bytes) {
        if (attempts.isEmpty()) {
            return List.of();
        }
        UUID[] ids = attempts.stream().map(watched -> watched.id().uuid()).toArray(UUID[]::new);
        Long[] numbers = attempts.stream().map(Watched::attempt).toArray(Long[]::new);
        return database.read("see which attempts are over", handle -> handle.createQuery(ReadSql.LOOK)
                .bind("ids", ids)
                .bind("attempts", numbers)
                .bind("bytes", bytes)
                .map((row, context) -> rows.ended(row))
                .list());
    }

    Page list(Query query) {
        return database.read("list entries", handle -> page(handle, query));
    }

    private Page page(Handle handle, Query query) {
        PagePlace after = query.after() == null ? null : PagePlace.parse(query.after());
        List<String> conditions = new ArrayList<>();
        addIf(conditions, query.state(), ReadSql.BY_STATE);
        addIf(conditions, query.client(), ReadSql.BY_CLIENT);
        addIf(conditions, query.route(), ReadSql.BY_ROUTE);
        addIf(conditions, query.key(), ReadSql.BY_KEY);
        addIf(conditions, query.since(), ReadSql.SINCE);
        addIf(conditions, after, ReadSql.AFTER);
        var statement = handle.createQuery(ReadSql.LIST.replace("{conditions}", String.join(" ", conditions)))
                .bind("limit", query.limit() + 1);
        if (query.state() != null) {
            statement.bind("state", query.state().code());
        }
        if (query.client() != null) {
            statement.bind("client", query.client());
        }
        if (query.route() != null) {
            statement.bind("route", query.route());
        }
        if (query.key() != null) {
            statement.bind("key", query.key());
        }
        if (query.since() != null) {
            statement.bind("since", query.since());
        }
        if (after != null) {
            statement.bind("afterAt", after.claimedAt()).bind("afterId", after.id());
        }
        List<Entry> listed = statement.map((row, context) -> rows.entry(row)).list();
        Instant now = handle.createQuery(ReadSql.NOW).map((row, context) -> Rows.instant(row, "now")).one();
        boolean more = listed.size() > query.limit();
        List<Entry> entries = more ? listed.subList(0, query.limit()) : listed;
        return new Page(List.copyOf(entries), more ? PagePlace.of(entries.getLast()).text() : null, now);
    }

    private static void addIf(List<String> conditions, @Nullable Object given, String condition) {
        if (given != null) {
            conditions.add(condition);
        }
    }

    List<Event> history(EntryId id) {
        return database.read("read a history", handle -> handle.createQuery(ReadSql.HISTORY)
                .bind("id", id.uuid())
                .map((row, context) -> Rows.event(row))
                .list());
    }

    Doubts doubts() {
        return database.read("count doubts", handle -> handle.createQuery(ReadSql.DOUBTS)
                .map((row, context) -> {
                    BigDecimal oldest = row.getBigDecimal("oldest");
                    return new Doubts(
                            row.getLong("doubts"),
                            oldest == null ? null : Duration.ofMillis(oldest.movePointRight(3).longValue()));
                })
                .one());
    }

    Counts counts() {
        return database.read("count entries", handle -> handle.createQuery(ReadSql.COUNTS)
                .bind("most", MOST_COUNTED)
                .bind("few", FEW)
                .map((row, context) -> new Counts(
                        row.getLong("claimed"), row.getLong("released"), row.getLong("recorded")))
                .one());
    }

    DoubtGroups doubtGroups() {
        return database.read("count doubts", handle -> {
            // The time first: who settles by it has looked at everything before it.
            Instant now = handle.createQuery(ReadSql.NOW).map((row, context) -> Rows.instant(row, "now")).one();
            List<DoubtGroup> groups = handle.createQuery(ReadSql.DOUBT_GROUPS)
                    .map((row, context) -> Rows.doubtGroup(row))
                    .list();
            return new DoubtGroups(List.copyOf(groups), now);
        });
    }

    /// Whether the server waits for a standby at all.
    boolean hasStandbys() {
        return database.read("look for standbys",
                handle -> handle.createQuery(ReadSql.STANDBYS).mapTo(Boolean.class).one());
    }

    /// Whether commits can be acknowledged now: no standby is asked for, one is connected, or nobody may see whether one is.
    ///
    /// @param pulse told at once
    boolean seesStandby(Pulse pulse) {
        return database.read("look for a standby", handle -> {
            boolean there = isTrue(handle, ReadSql.STANDBY_CONNECTED);
            pulse.standby(there);
            return there;
        });
    }

    /// Whether it answers.
    void ask() {
        database.read("ask", handle -> isTrue(handle, ReadSql.YES));
    }

    /// What a replica must know before it is ready, without Jdbi's statements: the first of them sets Java's flight recorder
    /// up, which would cost each start a quarter of a second.
    private static boolean isTrue(Handle handle, String sql) {
        try (Statement statement = handle.getConnection().createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() && row.getBoolean(1);
        } catch (SQLException e) {
            throw new ConnectionException(e);
        }
    }
}

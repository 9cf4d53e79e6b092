package dev.latchkey.postgres;

import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Found;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/// Binds and reads [BatchSql#WRITE].
final class BatchStatement {

    /// A body above this is not brought for who lost: a batch is small in memory.
    private static final int LARGEST_BODY = 8 * 1024;

    private final Rows entries;
    private final boolean replicated;

    /// @param replicated whether a claim needs a synchronous standby
    BatchStatement(Rows entries, boolean replicated) {
        this.entries = entries;
        this.replicated = replicated;
    }

    /// What the server told.
    ///
    /// @param recorded entries, but those that cannot be read
    /// @param won claims
    /// @param before what lay under the ids of the claims before them, as far as it was told: of those that were not won
    /// @param now the ledger's clock
    /// @param workedNanos how long the server worked, from the transaction's beginning on, without the commit
    record Told(
            Map<Fence, Entry> recorded, Set<Fence> won, Map<UUID, Found> before, Instant now, long workedNanos) {}

    /// A first claim.
    ///
    /// @param target as it is written
    record FirstClaim(Claim claim, String target) {}

    /// What each write compares.
    record Fence(UUID id, long attempt) {}

    Told run(Handle handle, List<FirstClaim> claims, List<Recording> records) {
        List<FirstClaim> sortedClaims = sorted(claims, it -> it.claim().ask().id().uuid());
        List<Recording> sortedRecords = sorted(records, record -> record.id().uuid());
        Query query = handle.createQuery(BatchSql.WRITE).bind("replicated", replicated)
                .bind("largest", LARGEST_BODY);
        Arrays arrays = new Arrays(query, handle.getConnection());
        bindRecords(arrays, sortedRecords);
        bindClaims(arrays, sortedClaims);
        return query.execute((statement, context) -> {
            try (ResultSet rows = statement.get().getResultSet()) {
                return read(rows);
            }
        });
    }

    private static <T> List<T> sorted(List<T> all, Function<T, UUID> id) {
        return all.stream().sorted(Comparator.comparing(id)).toList();
    }

    private static void bindRecords(Arrays arrays, List<Recording> records) {
        arrays.ids("recordIds", records, it -> it.id().uuid());
        arrays.longs("recordAttempts", records, Recording::attempt);
        arrays.ints("statuses", records, Recording::status);
        arrays.flags("rejections", records, Recording::rejection);
        arrays.flags("successes", records, Recording::succeeded);
        arrays.longs("entryKept", records, it -> Micros.of(it.retention().entryKept(false)));
        arrays.longs("rejectionKept", records, it -> Micros.of(it.retention().entryKept(true)));
        arrays.longs("responseKept", records, it -> Micros.of(it.retention().responseKept(false)));
        arrays.longs("rejectedResponseKept", records, it -> Micros.of(it.retention().responseKept(true)));
        arrays.bytes("headers", records, it -> it.kept().headers());
        arrays.bytes("bodies", records, it -> it.kept().body());
    }

    private static void bindClaims(Arrays arrays, List<FirstClaim> firsts) {
        List<Claim> claims = firsts.stream().map(FirstClaim::claim).toList();
        arrays.ids("claimIds", claims, it -> it.ask().id().uuid());
        arrays.texts("clients", claims, it -> it.ask().client());
        arrays.texts("keys", claims, it -> it.ask().key().text());
        arrays.texts("routes", claims, it -> it.ask().route().name());
        arrays.texts("methods", claims, it -> it.ask().method());
        arrays.texts("targets", firsts, FirstClaim::target);
        arrays.bytes("fingerprints", claims, it -> it.ask().fingerprint().bytes());
        arrays.bytes("sentAs", claims, it -> it.ask().route().sentAs().bytes());
        arrays.longs("claimAttempts", claims, Claim::attempt);
        arrays.longs("leases", claims, it -> Micros.of(it.ask().route().lease()));
        arrays.flags("releasedOnExpiry", claims, it -> it.ask().route().releasedOnExpiry());
    }

    private Told read(ResultSet rows) throws SQLException {
        Map<Fence, Entry> recorded = new HashMap<>();
        Set<Fence> won = new HashSet<>();
        Map<UUID, Found> before = new HashMap<>();
        while (rows.next()) {
            UUID claimed = rows.getObject("claimed_id", UUID.class);
            if (claimed != null) {
                won.add(new Fence(claimed, rows.getLong("claimed_attempt")));
                continue;
            }
            double worked = rows.getDouble("worked");
            if (!rows.wasNull()) {
                return new Told(recorded, won, before, Rows.instant(rows, "now"),
                        TimeUnit.MICROSECONDS.toNanos((long) worked));
            }
            if (rows.getObject("has_response") != null) {
                readable(rows, entries::found).ifPresent(found -> before.put(found.entry().id().uuid(), found));
                continue;
            }
            readable(rows, entries::entry)
                    .ifPresent(entry -> recorded.put(new Fence(entry.id().uuid(), entry.attempt()), entry));
        }
        throw new IllegalStateException("the last row of a batch is missing");
    }

    private interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /// A row that cannot be read must not undo what the others wrote: its caller looks for itself, and is told why.
    private static <T> Optional<T> readable(ResultSet row, Reader<T> reader) throws SQLException {
        try {
            return Optional.of(reader.read(row));
        } catch (RuntimeException _) {
            return Optional.empty();
        }
    }
}

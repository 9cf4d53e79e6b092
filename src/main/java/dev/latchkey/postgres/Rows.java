package dev.latchkey.postgres;

import dev.latchkey.gateway.Ledger.DoubtGroup;
import dev.latchkey.gateway.Ledger.Ended;
import dev.latchkey.gateway.Ledger.Event;
import dev.latchkey.gateway.Ledger.Watched;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.SentAs;
import dev.latchkey.protocol.State;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Makes values of rows.
final class Rows {

    private final Seals seals;

    /// @param seals opens what is encrypted
    Rows(Seals seals) {
        this.seals = seals;
    }

    Entry entry(ResultSet row) throws SQLException {
        String cause = row.getString("cause");
        EntryId id = new EntryId(row.getObject("entry_id", UUID.class));
        return new Entry(
                id,
                row.getString("client"),
                row.getString("idempotency_key"),
                row.getString("route"),
                row.getString("method"),
                seals.openedTarget(id, row.getString("target")),
                Fingerprint.of(row.getBytes("fingerprint")),
                row.getInt("correction"),
                SentAs.of(row.getBytes("sent_as")),
                State.ofCode(row.getInt("state")),
                row.getLong("attempt"),
                row.getInt("attempts"),
                instant(row, "claimed_at"),
                instant(row, "first_forward_at"),
                instant(row, "lease_until"),
                maybeInstant(row, "in_doubt_since"),
                cause == null ? null : new Cause(cause),
                maybeInstant(row, "recorded_at"),
                maybeInstant(row, "expires_at"),
                maybeInt(row, "status"),
                row.getBoolean("rejection"),
                row.getString("settled_by"),
                row.getBoolean("erased"),
                row.getBoolean("released_on_expiry"));
    }

    /// An entry with the response that lies beside it.
    Found found(ResultSet row) throws SQLException {
        Entry entry = entry(row);
        RecordedResponse response = row.getBoolean("has_response")
                ? seals.opened(
                        entry.id(), entry.attempt(), row.getBytes("headers"), row.getBytes("body"),
                        maybeInstant(row, "response_expires_at"))
                : null;
        return new Found(entry, response, instant(row, "now"));
    }

    Ended ended(ResultSet row) throws SQLException {
        Watched watched = new Watched(
                new EntryId(row.getObject("watched_entry", UUID.class)), row.getLong("watched_attempt"));
        return new Ended(watched, row.getObject("entry_id") == null ? null : found(row));
    }

    static DoubtGroup doubtGroup(ResultSet row) throws SQLException {
        return new DoubtGroup(
                row.getString("cause"),
                row.getString("route"),
                row.getString("client"),
                row.getLong("doubts"),
                instant(row, "oldest"),
                instant(row, "newest"));
    }

    static Event event(ResultSet row) throws SQLException {
        return new Event(
                instant(row, "at"),
                row.getString("kind"),
                row.getLong("attempt"),
                row.getString("cause"),
                row.getString("by_whom"),
                maybeInt(row, "status"));
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    static @Nullable Instant maybeInstant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static @Nullable Integer maybeInt(ResultSet row, String column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }
}

package dev.latchkey.postgres;

import dev.latchkey.gateway.Ledger.DoubtGroup;
import dev.latchkey.gateway.Ledger.Ended;
import dev.latchkey.gateway.Ledger.Event;
import dev.latchkey.gateway.Ledger.Watched;
import dev.latchkey.http.Body;
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

    private Rows() {}

    static Entry entry(ResultSet row) throws SQLException {
        String cause = row.getString("cause");
        return new Entry(
                new EntryId(row.getObject("entry_id", UUID.class)),
                row.getString("client"),
                row.getString("idempotency_key"),
                row.getString("route"),
                row.getString("method"),
                row.getString("target"),
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
    static Found found(ResultSet row) throws SQLException {
        RecordedResponse response = null;
        if (row.getBoolean("has_response")) {
            byte[] body = row.getBytes("body");
            response = new RecordedResponse(
                    HeaderBytes.read(row.getBytes("headers")),
                    body == null ? null : Body.of(body),
                    maybeInstant(row, "response_expires_at"));
        }
        return new Found(entry(row), response, instant(row, "now"));
    }

    static Ended ended(ResultSet row) throws SQLException {
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

package dev.latchkey.postgres;

import dev.latchkey.encryption.KeyRing;
import dev.latchkey.encryption.KeyRing.Unreadable;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// What the ledger keeps of requests and responses, as it is written: encrypted where there are keys, each value for its own
/// entry, attempt and column. What was written before there were keys is read as it is. Safe for any number of threads.
final class Seals {

    private static final Log LOG = Log.of(Seals.class);
    /// Begins no target, for those begin with a slash.
    private static final String MARK = "encrypted:";
    private static final String UNREADABLE_TARGET = "(encrypted)";

    private final KeyRing ring;

    /// @param ring empty: nothing is encrypted
    Seals(KeyRing ring) {
        this.ring = ring;
    }

    /// Part of what a value is encrypted for: the numbers stay.
    private enum Column {
        TARGET(1),
        RESPONSE_HEADERS(2),
        RESPONSE_BODY(3),
        EVENT_HEADERS(4),
        EVENT_BODY(5);

        private final int code;

        Column(int code) {
            this.code = code;
        }

        byte[] of(EntryId id, long attempt) {
            return ByteBuffer.allocate(4 * Long.BYTES)
                    .putLong(code)
                    .putLong(id.uuid().getMostSignificantBits())
                    .putLong(id.uuid().getLeastSignificantBits())
                    .putLong(attempt)
                    .array();
        }
    }

    /// A response as it is written.
    static final class Kept {

        private final byte[] headers;
        private final byte @Nullable [] body;

        private Kept(byte[] headers, byte @Nullable [] body) {
            this.headers = headers;
            this.body = body;
        }

        byte[] headers() {
            return headers;
        }

        /// Null: not kept.
        byte @Nullable [] body() {
            return body;
        }
    }

    /// The response of a recorded entry.
    ///
    /// @param attempt the entry's once it is recorded
    Kept response(EntryId id, long attempt, Headers headers, @Nullable Body body) {
        return kept(Column.RESPONSE_HEADERS.of(id, attempt), headers, Column.RESPONSE_BODY.of(id, attempt), body);
    }

    /// A response that the history keeps.
    Kept event(EntryId id, long attempt, Headers headers, @Nullable Body body) {
        return kept(Column.EVENT_HEADERS.of(id, attempt), headers, Column.EVENT_BODY.of(id, attempt), body);
    }

    private Kept kept(byte[] headersPlace, Headers headers, byte[] bodyPlace, @Nullable Body body) {
        return new Kept(
                ring.seal(HeaderBytes.of(headers), headersPlace),
                body == null ? null : ring.seal(body.bytes(), bodyPlace));
    }

    /// The target outlives its attempt.
    String target(EntryId id, String target) {
        if (ring.isEmpty()) {
            return target;
        }
        byte[] plain = target.getBytes(StandardCharsets.ISO_8859_1);
        return MARK + Base64.getEncoder().encodeToString(ring.seal(plain, Column.TARGET.of(id, 0)));
    }

    /// A response as it was; one that cannot be read is told apart from one that is gone.
    RecordedResponse opened(
            EntryId id, long attempt, byte[] headers, byte @Nullable [] body, @Nullable Instant expiresAt) {
        if (!KeyRing.isSealed(headers)) {
            return new RecordedResponse(HeaderBytes.read(headers), body == null ? null : Body.of(body), expiresAt);
        }
        try {
            byte[] lines = ring.open(headers, Column.RESPONSE_HEADERS.of(id, attempt));
            byte[] content = body == null ? null : ring.open(body, Column.RESPONSE_BODY.of(id, attempt));
            return new RecordedResponse(
                    HeaderBytes.read(lines), content == null ? null : Body.of(content), expiresAt);
        } catch (Unreadable e) {
            LOG.warn(LogEvent.UNREADABLE, "entry", id, "why", e.getMessage());
            return RecordedResponse.unreadable(expiresAt);
        }
    }

    /// A target as it was. It is for people, and for telling what differs: nothing is decided by it.
    String openedTarget(EntryId id, String target) {
        if (!target.startsWith(MARK)) {
            return target;
        }
        try {
            byte[] sealed = Base64.getDecoder().decode(target.substring(MARK.length()));
            return new String(ring.open(sealed, Column.TARGET.of(id, 0)), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException | Unreadable e) {
            return UNREADABLE_TARGET;
        }
    }
}

package dev.latchkey.gateway;

import dev.latchkey.http.Headers;
import dev.latchkey.http.Response;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What the gateway says to a caller.
public sealed interface Answer {

    /// A response of the downstream, fresh from a forward or replayed.
    ///
    /// @param state the entry's; null: no key was sent
    /// @param replayed from the ledger, or from a forward that another call made
    /// @param recordedAt for a replay
    /// @param expiresAt when the recorded response goes; null: unbounded, or not recorded
    /// @param settledBy `lookup` or `verdict`, where one of them recorded it
    record Delivered(
            Response response, @Nullable State state, boolean replayed, @Nullable Instant recordedAt,
            @Nullable Instant expiresAt, @Nullable String settledBy) implements Answer {

        /// A response as it came from the downstream, for a call that it was forwarded for.
        static Delivered fresh(Response response, @Nullable State state) {
            return new Delivered(response, state, false, null, null, null);
        }

        /// A response as it came, once its transition is committed.
        static Delivered fresh(Response response, Found now) {
            Entry entry = now.entry();
            RecordedResponse kept = now.response();
            Instant expires = entry.state() == State.RECORDED && kept != null ? kept.expiresAt() : null;
            return new Delivered(response, entry.state(), false, null, expires, null);
        }

        /// The same response, for a call that waited for the forward of another.
        Delivered toAnother() {
            return new Delivered(response, state, true, recordedAt, expiresAt, settledBy);
        }

        /// A response from the ledger.
        public static Delivered replay(Entry entry, RecordedResponse recorded) {
            Integer status = entry.status();
            if (status == null || recorded.body() == null) {
                throw new IllegalArgumentException("nothing to replay");
            }
            Response response = new Response(status, recorded.headers(), recorded.body());
            return new Delivered(
                    response, State.RECORDED, true, entry.recordedAt(), recorded.expiresAt(), entry.settledBy());
        }
    }

    /// A response too large to keep, passed through while it comes.
    ///
    /// @param state claimed, or null where no key was sent
    record Streamed(int status, Headers headers, HeldBody body, @Nullable State state) implements Answer {}

    /// The gateway's own no.
    ///
    record Refused(Refusal refusal) implements Answer {}
}

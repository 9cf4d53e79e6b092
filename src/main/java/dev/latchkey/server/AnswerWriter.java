package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Says an answer in HTTP (contract §6, §7): status, header fields and body. Knows no server. Immutable; safe for any
/// number of threads.
final class AnswerWriter {

    /// For one hop only (RFC 9110 §7.6.1).
    private static final Set<String> NOT_PASSED =
            Set.of("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade");

    /// Ours to say: a downstream's word on them would be taken for the gateway's.
    private static final Set<String> OURS = Set.of(
            "idempotency-key", "idempotent-replayed", "idempotency-state", "idempotency-expires",
            "idempotency-recorded-at",
            "idempotency-settled-by");

    private static final Set<String> GONE = union(NOT_PASSED, OURS);

    /// What is known of a call besides its answer.
    ///
    /// @param keyed whether the call has, or must have, a key
    /// @param key what was read of it; null: nothing
    /// @param waited the wait that held; null: the caller asked for none
    record Marks(boolean keyed, @Nullable IdempotencyKey key, @Nullable Duration waited) {
        static final Marks NONE = new Marks(false, null, null);
    }

    Reply reply(Answer answer, Marks marks, String instance) {
        return switch (answer) {
            case Answer.Delivered delivered -> delivered(delivered, marks);
            case Answer.Streamed streamed -> new Reply(
                    streamed.status(),
                    passed(streamed.headers()).with(marks, streamed.state(), false).headers(),
                    Body.empty(),
                    OpenBody.of(streamed.body()));
            case Answer.Refused refused -> refused(refused.refusal(), marks, instance);
        };
    }

    private Reply delivered(Answer.Delivered delivered, Marks marks) {
        Lines lines = passed(delivered.response().headers());
        if (delivered.replayed()) {
            lines.remove("date");
        }
        lines.with(marks, delivered.state(), delivered.replayed());
        lines.date("Idempotency-Expires", delivered.expiresAt());
        lines.date("Idempotency-Recorded-At", delivered.recordedAt());
        lines.plus("Idempotency-Settled-By", delivered.settledBy());
        return Reply.of(delivered.response().status(), lines.headers(), delivered.response().body());
    }

    private Reply refused(Refusal refusal, Marks marks, String instance) {
        Lines lines = new Lines();
        lines.plus("Content-Type", ProblemDocument.MEDIA_TYPE);
        lines.plus("Cache-Control", "no-store");
        lines.with(marks, refusal.state(), false);
        if (refusal.retryAfter() != null) {
            lines.plus("Retry-After", Long.toString(wholeSeconds(refusal.retryAfter())));
        }
        if (refusal.entry() != null && (refusal.status() == 409 || refusal.status() == 504)) {
            lines.plus("Location", "/v1/entries/" + refusal.entry());
        }
        if (refusal.problem() == Problem.UNAUTHENTICATED) {
            lines.plus("WWW-Authenticate", "Bearer");
        }
        return Reply.of(refusal.status(), lines.headers(), ProblemDocument.of(refusal, instance));
    }

    private static long wholeSeconds(Duration time) {
        long up = time.plusMillis(999).toSeconds();
        return Math.max(1, up);
    }

    private static Lines passed(Headers headers) {
        Set<String> named = headers.namedByConnection();
        Set<String> gone = named.isEmpty() ? GONE : union(GONE, named);
        Lines lines = new Lines();
        for (Header line : headers) {
            if (!gone.contains(line.lowerCaseName())) {
                lines.all.add(line);
            }
        }
        return lines;
    }

    private static Set<String> union(Set<String> one, Set<String> other) {
        Set<String> all = new HashSet<>(one);
        all.addAll(other);
        return Set.copyOf(all);
    }

    /// Header lines in the making.
    private static final class Lines {
        private final List<Header> all = new ArrayList<>();

        Lines with(Marks marks, @Nullable State state, boolean replayed) {
            if (marks.keyed()) {
                plus("Idempotency-Key", marks.key() == null ? null : marks.key().structured());
                plus("Idempotent-Replayed", Boolean.toString(replayed));
                plus("Idempotency-State", state == null ? null : state.wireName());
                plus("Preference-Applied", marks.waited() == null ? null : "wait=" + marks.waited().toSeconds());
            }
            return this;
        }

        void plus(String name, @Nullable String value) {
            if (value != null) {
                all.add(new Header(name, value));
            }
        }

        void date(String name, @Nullable Instant time) {
            plus(name, time == null ? null : HttpDate.of(time));
        }

        void remove(String lowerCaseName) {
            all.removeIf(line -> line.lowerCaseName().equals(lowerCaseName));
        }

        Headers headers() {
            return new Headers(all);
        }
    }
}

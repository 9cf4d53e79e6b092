package dev.latchkey.postgres;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Transition;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A transition that records a response, as it is written.
///
/// @param body null: not kept
/// @param kept what is written of them
/// @param succeeded whether it may take back a key that was freed (G18)
record Recording(
        EntryId id, long attempt, int status, Headers headers, @Nullable Body body, Seals.Kept kept, boolean rejection,
        boolean succeeded, Retention retention) {

    static Recording of(EntryId id, long attempt, Transition.Record it, Seals seals) {
        return new Recording(
                id, attempt, it.status(), it.headers(), it.body(),
                seals.response(id, attempt, it.headers(), it.body()), it.rejection(), it.succeeded(), it.retention());
    }

    /// Like a response that may not take back what was released.
    static Recording of(EntryId id, long attempt, Transition.Result it, Seals seals) {
        return new Recording(
                id, attempt, Transition.Result.STATUS, it.headers(), it.body(),
                seals.response(id, attempt, it.headers(), it.body()), false, false, it.retention());
    }

    /// Empty: this transition records nothing.
    static Optional<Recording> in(EntryId id, long attempt, Transition transition, Seals seals) {
        return switch (transition) {
            case Transition.Record it -> Optional.of(of(id, attempt, it, seals));
            case Transition.Result it -> Optional.of(of(id, attempt, it, seals));
            default -> Optional.empty();
        };
    }

    /// Bytes that it sends, but for a few.
    int weight() {
        return kept.headers().length + (kept.body() == null ? 0 : kept.body().length);
    }
}

package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// What an operator says became of a key in doubt (contract §11). Immutable.
public sealed interface Verdict {

    /// Why, for the history.
    String reason();

    /// Who says so, for the history.
    String by();

    /// The effect happened.
    ///
    /// @param status 2xx or 3xx; null: not known
    /// @param headers what is replayed
    /// @param body null: repeats get 410
    record Executed(@Nullable Integer status, Headers headers, @Nullable Body body, String reason, String by)
            implements Verdict {}

    /// Nothing happened.
    ///
    /// @param asOf when the look at the downstream began, by the ledger's clock
    record NotExecuted(Instant asOf, String reason, String by) implements Verdict {}

    /// What comes of a verdict.
    sealed interface Ruling {
        /// It is to be carried out, on this attempt and no later one (G5).
        record Settle(long attempt, Transition transition) implements Ruling {}

        /// It does not hold.
        record Refuse(Refusal refusal) implements Ruling {}
    }
}

package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import org.jspecify.annotations.Nullable;

/// What one forward came to.
public sealed interface Outcome {

    /// A complete response came.
    ///
    /// @param status the final status
    /// @param headers every field line
    /// @param body null: over the cap, streamed to the caller and not kept
    /// @param sentWhole whether the request's last byte had been handed over before the response came, or may have been
    record Answered(int status, Headers headers, @Nullable Body body, boolean sentWhole) implements Outcome {

        /// Whether the downstream says that it did what was asked.
        public boolean succeeded() {
            return status >= 200 && status < 400;
        }
    }

    /// Provably not a byte of the request left.
    ///
    /// @param reason for people, in a few words; names neither key nor body
    record NotSent(String reason) implements Outcome {}

    /// The request may have been received and acted on.
    ///
    /// @param cause why nobody knows
    record Unknown(Cause cause) implements Outcome {}
}

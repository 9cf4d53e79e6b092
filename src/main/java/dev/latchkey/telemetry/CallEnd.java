package dev.latchkey.telemetry;

import org.jspecify.annotations.Nullable;

/// What is told of a call once it is over.
///
/// @param entry the entry id; null: the call has no key that could be read, or no client
/// @param client its name; null: not authenticated
/// @param route null: none was found
/// @param prefix the route's path prefix; null: none was found
/// @param answer `fresh`, `replay`, `streamed`, or the refusal's name
/// @param forwarded `true`, `false`, or what a refusal says of it
/// @param status of the answer
public record CallEnd(
        @Nullable String entry, @Nullable String client, @Nullable String route, @Nullable String prefix, String answer,
        String forwarded, int status) {

    /// Whether the answer comes from a forward that was made for another call.
    public boolean replayed() {
        return answer.equals("replay");
    }
}

package dev.latchkey.server;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import org.jspecify.annotations.Nullable;

/// An answer as it goes over the wire: all but framing, `Date` and `Connection`, which the server adds.
///
/// @param body the content; what the status or the method allows none of is not sent
/// @param open a body that is still coming, instead of `body`; null: none
record Reply(int status, Headers headers, Body body, @Nullable OpenBody open) {

    static Reply of(int status, Headers headers, Body body) {
        return new Reply(status, headers, body, null);
    }
}

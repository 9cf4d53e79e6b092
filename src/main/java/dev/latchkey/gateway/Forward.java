package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import org.jspecify.annotations.Nullable;

/// A request as it goes downstream.
///
/// @param method as the caller sent it
/// @param path below the route's prefix: empty, or begins with a slash; undecoded
/// @param query undecoded, without the question mark; null: none
/// @param headers every field to send but those of framing, `Host` and `Connection`, which are the client's
/// @param body the content bytes as they came
/// @param keyed whether it is sent under a key
public record Forward(
        String method, String path, @Nullable String query, Headers headers, Body body, boolean keyed) {}

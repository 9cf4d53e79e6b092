package dev.latchkey.http;

import org.jspecify.annotations.Nullable;

/// A request as the caller sent it, read whole.
///
/// @param method as sent; methods are case-sensitive (RFC 9110 §9.1)
/// @param path as sent, undecoded
/// @param query as sent, undecoded, without the question mark; null where there was none
/// @param headers every field line
/// @param body the content bytes, still content-encoded
public record Request(String method, String path, @Nullable String query, Headers headers, Body body) {

    /// Path and query as they were sent.
    public String target() {
        return query == null ? path : path + "?" + query;
    }
}

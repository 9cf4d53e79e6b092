package dev.latchkey.http;

/// A complete response.
///
/// @param status the final status code, 200 to 599
/// @param headers every field line
/// @param body the content bytes
public record Response(int status, Headers headers, Body body) {}

package dev.latchkey.gateway;

/// Whether a POST or PATCH on a route needs a key of the caller's. On PUT and DELETE a key is always optional.
public sealed interface KeyRule {

    /// Without a key: refused.
    record Required() implements KeyRule {}

    /// Without a key: forwarded without one, never recorded.
    record Optional() implements KeyRule {}
}

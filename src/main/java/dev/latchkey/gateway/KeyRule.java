package dev.latchkey.gateway;

import dev.latchkey.protocol.KeyTemplate;

/// Whether a POST or PATCH on a route needs a key of the caller's. On PUT and DELETE a key is always optional.
public sealed interface KeyRule {

    /// Without a key: refused.
    record Required() implements KeyRule {}

    /// Without a key: forwarded without one, never recorded.
    record Optional() implements KeyRule {}

    /// Without a key: one is made from the body.
    record Derived(KeyTemplate template) implements KeyRule {}
}

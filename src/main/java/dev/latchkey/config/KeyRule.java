package dev.latchkey.config;

import dev.latchkey.protocol.KeyTemplate;

/// `routes[].key`: what a POST or PATCH without an idempotency key meets.
public sealed interface KeyRule {

    /// It is refused.
    record Required() implements KeyRule {}

    /// It is forwarded without one.
    record Optional() implements KeyRule {}

    /// Its key is made from the body.
    record Derived(KeyTemplate template) implements KeyRule {}
}

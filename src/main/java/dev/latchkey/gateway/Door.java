package dev.latchkey.gateway;

import dev.latchkey.protocol.Route;

/// A route as callers see it: where it begins, and what it asks of them.
///
/// @param policy what the protocol knows of the route
/// @param prefix whole segments with a leading and without a trailing slash, such as `/payments`
/// @param keyRule whether callers must send a key
public record Door(Route policy, String prefix, KeyRule keyRule) {

    /// The route's name.
    public String name() {
        return policy.name();
    }
}

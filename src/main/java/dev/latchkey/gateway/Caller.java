package dev.latchkey.gateway;

import java.util.Set;

/// Whoever a call comes from, authenticated.
///
/// @param name the client's present name, for logs
/// @param oldestName the name that entry ids and downstream keys are made from; a rename does not change it
/// @param routes names of the routes that the client is held to; empty: all
public record Caller(String name, String oldestName, Set<String> routes) {

    public Caller {
        routes = Set.copyOf(routes);
    }

    /// A client that was never renamed and may use every route.
    public static Caller named(String name) {
        return new Caller(name, name, Set.of());
    }

    /// Whether the client may use the route of that name.
    public boolean mayUse(String route) {
        return routes.isEmpty() || routes.contains(route);
    }
}

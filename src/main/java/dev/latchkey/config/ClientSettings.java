package dev.latchkey.config;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One client, or one operator.
///
/// @param name who it is, over every change of its tokens
/// @param tokensSha256 the SHA-256 of each token it may show, 64 lower-case hexadecimal digits each
/// @param jwt whether it may also come by a JWT that names it
/// @param formerly its former names, the oldest first
/// @param routes the names of the routes that it may use; null: every route
/// @param bounds what it may take of a replica
public record ClientSettings(
        String name, List<String> tokensSha256, boolean jwt, List<String> formerly, @Nullable Set<String> routes,
        ClientBounds bounds) {

    public ClientSettings {
        tokensSha256 = tokensSha256.stream()
                .map(digest -> digest.toLowerCase(Locale.ROOT))
                .toList();
        formerly = List.copyOf(formerly);
        routes = routes == null ? null : Set.copyOf(routes);
        Checks checks = new Checks()
                .add("name", Spelling.name(name))
                .that(
                        !tokensSha256.isEmpty() || jwt,
                        "",
                        "no token; write token-sha256, or tokens-sha256 with one at least (printf %s TOKEN | sha256sum)")
                .that(
                        routes == null || !routes.isEmpty(),
                        "routes",
                        "an empty list lets it use nothing; name a route, or remove the line for every route");
        tokensSha256.stream().distinct().forEach(digest -> checks.add("tokens-sha256", Spelling.sha256(digest)));
        formerly.forEach(former -> checks.add("formerly", Spelling.name(former)));
        checks.done();
    }

    /// Whether the text can be a client's name.
    public static boolean isName(String text) {
        return Spelling.name(text) == null;
    }

    /// The name that entry ids and downstream keys are made from, so that a rename changes none of them.
    public String oldestName() {
        return formerly.isEmpty() ? name : formerly.getFirst();
    }

    List<String> sortedRoutes() {
        return routes == null ? List.of() : routes.stream().sorted().toList();
    }

    public boolean mayUse(String route) {
        return routes == null || routes.contains(route);
    }
}

package dev.latchkey.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything that can be set, checked as a whole. Safe for any number of threads.
///
/// @param listen where calls come in
/// @param management where health, metrics and operators come in
/// @param ledger where entries are kept
/// @param clients who may call
/// @param jwt whose word on clients' names is taken; null: nobody's
/// @param operators who may settle; without any, only on a loopback management address
/// @param limits what a replica takes on
/// @param waiting how long a call may wait for another
/// @param claims claims that callers hold themselves
/// @param cache recorded responses in memory
/// @param upkeep how often the ledger is looked after
/// @param drain how the gateway stops
/// @param telemetry what is told of the gateway's work
/// @param routes none twice by name or prefix
public record Settings(
        Listen listen,
        Listen management,
        LedgerSettings ledger,
        Clients clients,
        @Nullable JwtSettings jwt,
        List<ClientSettings> operators,
        Limits limits,
        WaitSettings waiting,
        ClaimSettings claims,
        CacheSettings cache,
        Upkeep upkeep,
        Drain drain,
        TelemetrySettings telemetry,
        List<RouteSettings> routes) {

    private static final String RESERVED_NAME = "/v1/claims";

    public Settings {
        operators = List.copyOf(operators);
        routes = List.copyOf(routes);
        Checks checks = new Checks()
                .that(
                        listen.isLoopback() || !(clients instanceof Clients.Open(boolean said)) || said,
                        "clients",
                        "without clients anybody who reaches " + listen.host() + " could call; list them, or write"
                                + " clients: open to let everybody in, or listen on 127.0.0.1")
                .that(
                        !listen.clashesWith(management),
                        "management.port",
                        management.port() + " is listen.port, too; write another, or 0 for any free port");
        checkJwt(clients, jwt, operators, checks);
        checkRoutes(routes, checks);
        checkSharedKeys(routes, clients, checks);
        checkClientRoutes(routes, clients, checks);
        checkOperators(operators, checks);
        checks.done();
    }

    /// How long a claim on that route holds.
    public Duration lease(RouteSettings route) {
        return route.downstream().timeout().plus(ledger.leaseMargin());
    }

    /// How long after its claim was asked for an attempt may still begin to send: half the lease margin, and no longer
    /// than the route's timeout.
    public Duration sendWindow(RouteSettings route) {
        Duration half = ledger.leaseMargin().dividedBy(2);
        Duration timeout = route.downstream().timeout();
        return half.compareTo(timeout) <= 0 ? half : timeout;
    }

    private static void checkJwt(
            Clients clients, @Nullable JwtSettings jwt, List<ClientSettings> operators, Checks checks) {
        checks.that(
                jwt == null || !(clients instanceof Clients.Open(boolean said)) || !said,
                "jwt",
                "clients: open lets everybody in without a token; remove one of them");
        if (jwt != null) {
            return;
        }
        String why = "there is no section jwt that says whose tokens those would be; write it, or remove this";
        if (clients instanceof Clients.Listed(List<ClientSettings> listed, boolean _)) {
            for (int i = 0; i < listed.size(); i++) {
                checks.that(!listed.get(i).jwt(), "clients[" + i + "].jwt", why);
            }
        }
        for (int i = 0; i < operators.size(); i++) {
            checks.that(!operators.get(i).jwt(), "operators[" + i + "].jwt", why);
        }
    }

    private static void checkRoutes(List<RouteSettings> routes, Checks checks) {
        Map<String, String> names = new HashMap<>();
        Map<String, String> prefixes = new HashMap<>();
        for (int i = 0; i < routes.size(); i++) {
            RouteSettings route = routes.get(i);
            checks.that(
                    !route.name().equals(RESERVED_NAME),
                    "routes[" + i + "].name",
                    Quoted.of(route.name()) + " stands for the claims that callers hold themselves; write another");
            checks.that(
                    names.putIfAbsent(route.name(), route.name()) == null,
                    "routes[" + i + "].name",
                    Quoted.of(route.name()) + " is the name of another route, too; write another");
            String other = prefixes.putIfAbsent(route.prefix(), route.name());
            checks.that(
                    other == null,
                    "routes[" + i + "].prefix",
                    route.prefix() + " is the prefix of the route " + Quoted.of(other == null ? "" : other)
                            + ", too; write another");
        }
    }

    private static void checkSharedKeys(List<RouteSettings> routes, Clients clients, Checks checks) {
        for (int i = 0; i < routes.size(); i++) {
            RouteSettings route = routes.get(i);
            boolean shared = route.sendsCallersKey() && clients.usersOf(route.name()) > 1;
            String why =
                    "more than one client may use this route, and with as-sent two of them could send the downstream"
                            + " the same key; write downstream.key.value: derived, or hold the route to one client";
            checks.that(!shared || route.downstream().deduplicates() == null,
                    "routes[" + i + "].downstream.deduplicates", why);
            checks.that(!shared || route.lookup() == null, "routes[" + i + "].lookup", why);
        }
    }

    private static void checkClientRoutes(List<RouteSettings> routes, Clients clients, Checks checks) {
        if (!(clients instanceof Clients.Listed(List<ClientSettings> listed, boolean _))) {
            return;
        }
        List<String> names = routes.stream().map(RouteSettings::name).toList();
        for (int i = 0; i < listed.size(); i++) {
            for (String route : listed.get(i).sortedRoutes()) {
                checks.that(
                        names.contains(route),
                        "clients[" + i + "].routes",
                        Quoted.of(route) + " is not the name of a route; there are: " + String.join(", ", names));
            }
        }
    }

    private static void checkOperators(List<ClientSettings> operators, Checks checks) {
        Map<String, String> names = new HashMap<>();
        for (int i = 0; i < operators.size(); i++) {
            ClientSettings operator = operators.get(i);
            checks.that(
                    names.putIfAbsent(operator.name(), operator.name()) == null,
                    "operators[" + i + "].name",
                    Quoted.of(operator.name()) + " is the name of another operator, too; write another")
                    .that(
                            operator.routes() == null,
                            "operators[" + i + "].routes",
                            "an operator sees every route; remove this")
                    .that(
                            operator.bounds().equals(ClientBounds.USUAL),
                            "operators[" + i + "]",
                            "forwards and calls-per-second bound a client's calls, and an operator makes none; remove"
                                    + " them");
        }
        Clients.Listed.checkTokens(operators, "operators", checks);
    }
}

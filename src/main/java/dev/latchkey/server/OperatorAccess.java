package dev.latchkey.server;

import dev.latchkey.gateway.Caller;
import dev.latchkey.http.Problem;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/// Who may see and settle every client's entries: the operators that the settings name; without any, whoever reaches a
/// loopback address. Safe for any number of threads.
final class OperatorAccess {

    /// Who it was, in the history, where nobody is named.
    private static final String ANYBODY = "loopback";

    private final Clients operators;
    private final String host;
    private final boolean loopback;

    OperatorAccess(Clients operators, String host) {
        this.operators = operators;
        this.host = host;
        this.loopback = isLoopback(host);
    }

    /// Who it is, for the history.
    ///
    /// @throws Refusing whoever may not
    String admit(Exchange exchange) {
        if (!operators.isEmpty()) {
            return operators.authenticate(exchange.headers()).map(Caller::name)
                    .orElseThrow(CallHandler::unauthenticated);
        }
        if (!loopback) {
            throw new Refusing(
                    Problem.ROUTE_FORBIDDEN,
                    "No operators are configured, and this port is not bound to a loopback address. Name operators in"
                            + " the settings.");
        }
        return ANYBODY;
    }

    /// The same for what changes something: on loopback any web page that the operator looks at could send it, so one that
    /// does not come from this very port is refused. A host name that is not this port's own may be an attacker's that
    /// resolves to it.
    String admitChange(Exchange exchange) {
        String who = admit(exchange);
        List<String> origins = exchange.headers().all("Origin");
        if (!origins.isEmpty() && !(origins.size() == 1 && isOwn(origins.getFirst(), exchange))) {
            throw new Refusing(
                    Problem.ROUTE_FORBIDDEN,
                    "This request comes from a web page of another origin. Send it from a program, without the field"
                            + " Origin.");
        }
        return who;
    }

    private boolean isOwn(String origin, Exchange exchange) {
        String authority = exchange.headers().first("Host").orElse("");
        if (!origin.equalsIgnoreCase(exchange.origin().scheme() + "://" + authority)) {
            return false;
        }
        try {
            String name = URI.create(origin).getHost();
            return name != null && (name.equalsIgnoreCase(host) || name.equalsIgnoreCase("[" + host + "]")
                    || name.toLowerCase(Locale.ROOT).equals("localhost") || name.equals("127.0.0.1")
                    || name.equals("[::1]"));
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }
}

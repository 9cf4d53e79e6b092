package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Call;
import dev.latchkey.gateway.Caller;
import dev.latchkey.gateway.Calls;
import dev.latchkey.gateway.Door;
import dev.latchkey.gateway.Origin;
import dev.latchkey.http.Body;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.telemetry.Trace;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One call, from its header fields to its answer: every check that needs neither fingerprint nor ledger, in the order of
/// contract §2, then [Calls]. A line of a batch goes the same way, from where its client is known. Safe for any number of
/// threads.
final class CallHandler {

    static final Set<String> METHODS = Set.of("POST", "PATCH", "PUT", "DELETE", "GET", "HEAD", "OPTIONS");
    static final String ALLOW = "GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE";

    private final Clients clients;
    private final Doors doors;
    private final BodyReader bodies;
    private final ByteBudget budget;
    private final Duration longestWait;
    private final Calls calls;

    CallHandler(
            Clients clients, Doors doors, BodyReader bodies, ByteBudget budget, Duration longestWait, Calls calls) {
        this.clients = clients;
        this.doors = doors;
        this.bodies = bodies;
        this.budget = budget;
        this.longestWait = longestWait;
        this.calls = calls;
    }

    /// What becomes known of a call on its way: for its answer's header fields and its log line.
    static final class Course {
        @Nullable
        Caller caller;
        @Nullable
        Door door;
        @Nullable
        IdempotencyKey key;
        @Nullable
        Duration waited;
        @Nullable
        Trace trace;
        boolean keyed;

        AnswerWriter.Marks marks() {
            return new AnswerWriter.Marks(keyed, key, waited);
        }
    }

    /// The answer; null: the caller hung up before its request was whole.
    ///
    /// @throws Refusing where a check fails
    @Nullable
    Answer answer(Exchange exchange, Course course) {
        course.key = Keys.readable(exchange.method(), exchange.headers());
        course.keyed = Keys.count(exchange.method()) && exchange.headers().has(Keys.FIELD);
        Caller caller = clients.authenticate(exchange.headers()).orElseThrow(CallHandler::unauthenticated);
        course.caller = caller;
        if (exchange.method().equals("CONNECT")) {
            // Its target is no path, so no route can be looked for.
            throw methodNotAllowed();
        }
        Doors.Found found = admit(caller, exchange.method(), exchange.path(), exchange.query(), course);
        checkCoding(exchange);
        try (ByteBudget.Share share = budget.open()) {
            Body body = bodies.whole(exchange, share);
            if (body == null) {
                return null;
            }
            Request request = new Request(
                    exchange.method(), exchange.path(), exchange.query(), exchange.headers(), body);
            return answer(caller, found, request, exchange.origin(), course);
        }
    }

    /// The answer to a call that came as a line of a batch.
    ///
    /// @param origin how the batch came
    /// @throws Refusing where a check fails
    Answer answer(Caller caller, Request line, Origin origin, Course course) {
        course.key = Keys.readable(line.method(), line.headers());
        course.keyed = Keys.count(line.method()) && line.headers().has(Keys.FIELD);
        course.caller = caller;
        Doors.Found found = admit(caller, line.method(), line.path(), line.query(), course);
        bodies.check(line.body());
        return answer(caller, found, line, origin, course);
    }

    private Doors.Found admit(Caller caller, String method, String path, @Nullable String query, Course course) {
        Doors.Found found = doors.find(path).orElseThrow(CallHandler::noSuchRoute);
        course.door = found.door();
        if (!caller.mayUse(found.door().name())) {
            throw new Refusing(
                    Problem.ROUTE_FORBIDDEN,
                    "This client may not use the route " + found.door().name() + ". Ask the operator of the gateway.");
        }
        checkTarget(path, query);
        if (!METHODS.contains(method)) {
            throw methodNotAllowed();
        }
        return found;
    }

    /// @param sent with every header field that came
    private Answer answer(Caller caller, Doors.Found found, Request sent, Origin origin, Course course) {
        Request request = new Request(
                sent.method(), sent.path(), sent.query(), Credentials.strip(sent.headers()), sent.body());
        course.keyed |= request.method().equals("POST") || request.method().equals("PATCH");
        IdempotencyKey key = Keys.of(request, found.door().keyRule());
        course.key = key;
        course.keyed = key != null;
        course.waited = key == null ? null : Prefer.waitIn(sent.headers(), longestWait);
        Trace trace = Objects.requireNonNull(course.trace);
        long whole = trace.now();
        try {
            return calls.answer(
                    new Call(caller, found.door(), found.below(), request, key, course.waited, origin, trace));
        } finally {
            trace.answered(whole);
        }
    }

    static void checkTarget(Exchange exchange) {
        checkTarget(exchange.path(), exchange.query());
    }

    private static void checkTarget(String path, @Nullable String query) {
        PathRules.wrongIn(path).ifPresent(wrong -> {
            throw new Refusing(
                    Problem.PATH_INVALID,
                    "The path " + wrong
                            + ": it could reach something else than this route. Nothing was forwarded by this"
                            + " call.");
        });
        if (query != null && !query.chars().allMatch(c -> c > 0x20 && c < 0x7F)) {
            throw new Refusing(
                    Problem.REQUEST_INVALID,
                    "The query has a character that is not printable ASCII; percent-encode it.");
        }
    }

    /// The parser takes off the last coding, chunked, and says nothing of those before it: what they made of the body would
    /// be forwarded as the body.
    static void checkCoding(Exchange exchange) {
        List<String> codings = exchange.headers().all("Transfer-Encoding");
        if (!codings.isEmpty() && !(codings.size() == 1 && codings.getFirst().strip().equalsIgnoreCase("chunked"))) {
            throw new Refusing(
                    Problem.REQUEST_INVALID,
                    "The body has a transfer coding that this gateway does not read. Allowed: chunked, alone.");
        }
    }

    static Refusing unauthenticated() {
        return new Refusing(
                Problem.UNAUTHENTICATED,
                "No valid token. Send it as Authorization: Bearer, as either half of Basic, or in Latchkey-Token.");
    }

    static Refusing methodNotAllowed() {
        return new Refusing(Problem.METHOD_NOT_ALLOWED, "This method is not forwarded. Allowed: " + ALLOW + ".");
    }

    static Refusing noSuchRoute() {
        return new Refusing(Problem.NO_SUCH_ROUTE, "No route of this gateway has a prefix of this path.");
    }
}

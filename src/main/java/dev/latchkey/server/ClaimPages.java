package dev.latchkey.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Caller;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.HeldClaims;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Request;
import dev.latchkey.http.Response;
import dev.latchkey.protocol.ClaimToken;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import dev.latchkey.telemetry.Metrics;
import dev.latchkey.telemetry.Trace;
import dev.latchkey.telemetry.Traces;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The claims API: claims that callers hold themselves, for effects that are not forwarded. A token in `Claim-Token` is
/// needed for everything after the claim. Safe for any number of threads.
public final class ClaimPages {

    /// The field that carries a claim's token.
    static final String TOKEN = "Claim-Token";

    private final Clients clients;
    private final HeldClaims claims;
    private final Limits limits;
    private final BodyReader requests;
    private final BodyReader results;
    private final ClaimBody reading;
    private final EntryJson entryJson;
    private final ByteBudget budget;
    private final Answers answers;
    private final Clocks clocks;

    /// What is taken at once.
    ///
    /// @param request most bytes of a body that says what will be done
    /// @param result most bytes of a result: what is kept of a response
    /// @param longestWait a longer one is cut to it
    public record Limits(long request, long result, Duration longestWait) {}

    /// @param clients the same as for calls
    /// @param durations reads a duration as settings write it
    public ClaimPages(
            Clients clients, HeldClaims claims, Limits limits, Function<String, Duration> durations, ByteBudget budget,
            Drain drain, Metrics metrics, Traces traces, Clocks clocks) {
        this.clients = clients;
        this.claims = claims;
        this.limits = limits;
        this.requests = new BodyReader(limits.request());
        this.results = new BodyReader(limits.result());
        this.reading = new ClaimBody(durations);
        this.entryJson = new EntryJson(entry -> null);
        this.budget = budget;
        this.answers = new Answers(drain, metrics, traces);
        this.clocks = clocks;
    }

    void addTo(Pages pages, RoutesConfig routes) {
        pages.calling(routes, HandlerType.POST, HeldClaims.ROUTE, this::claim);
        pages.calling(routes, HandlerType.PUT, HeldClaims.ROUTE + "/{id}/result", this::result);
        pages.calling(routes, HandlerType.POST, HeldClaims.ROUTE + "/{id}/renew", this::renew);
        pages.calling(routes, HandlerType.DELETE, HeldClaims.ROUTE + "/{id}", this::release);
    }

    private Reply claim(Exchange exchange, Context context) {
        long start = clocks.nanos();
        String instance = "urn:uuid:" + UUID.randomUUID();
        CallHandler.Course course = new CallHandler.Course();
        course.keyed = true;
        course.trace = answers.begin(exchange.headers(), exchange.method());
        course.door = claims.door();
        course.key = Keys.readable(exchange.method(), exchange.headers());
        Answer answer = Objects.requireNonNull(answers.of(() -> claim(exchange, course), instance));
        Reply reply = answers.reply(answer, course, instance);
        long nanos = clocks.nanos() - start;
        answers.over(answer, reply.status(), course, instance, nanos);
        return reply;
    }

    private Answer claim(Exchange exchange, CallHandler.Course course) {
        Caller caller = caller(exchange);
        course.caller = caller;
        Parameters.of(exchange.query());
        try (ByteBudget.Share share = budget.open()) {
            Body body = read(requests, exchange, share);
            Request request = new Request(
                    exchange.method(), HeldClaims.ROUTE, null, Credentials.strip(exchange.headers()), body);
            IdempotencyKey key = Objects.requireNonNull(Keys.of(request, claims.door().keyRule()));
            course.waited = Prefer.waitIn(exchange.headers(), limits.longestWait());
            ClaimBody.Terms terms = reading.claim(exchange.headers(), body);
            HeldClaims.Wanted wanted = new HeldClaims.Wanted(
                    caller, key, request, terms.lease(), terms.releasedOnExpiry(), course.waited,
                    Objects.requireNonNull(course.trace));
            Trace trace = wanted.trace();
            long whole = trace.now();
            try {
                return switch (claims.claim(wanted, limits.request())) {
                    case HeldClaims.Outcome.Held held -> held(held);
                    case HeldClaims.Outcome.Answered answered -> asResult(answered.answer());
                };
            } finally {
                trace.answered(whole);
            }
        }
    }

    private static Answer held(HeldClaims.Outcome.Held held) {
        Entry entry = held.entry();
        ObjectNode node = claim(entry, entry.claimedAt());
        node.put("token", held.token().text());
        Headers headers = Headers.of(
                "Content-Type", "application/json", "Cache-Control", "no-store", "Location",
                "/v1/entries/" + entry.id());
        return new Answer.Delivered(
                new Response(201, headers, ProblemDocument.bytes(node)), State.CLAIMED, false, null, null, null);
    }

    /// An operator's verdict may have recorded another status; 201 here would read as a claim.
    private static Answer asResult(Answer answer) {
        if (!(answer instanceof Answer.Delivered it)) {
            return answer;
        }
        Response response = new Response(200, it.response().headers(), it.response().body());
        return new Answer.Delivered(
                response, it.state(), it.replayed(), it.recordedAt(), it.expiresAt(), it.settledBy());
    }

    private Reply result(Exchange exchange, Context context) {
        Caller caller = caller(exchange);
        ClaimToken token = token(exchange.headers());
        try (ByteBudget.Share share = budget.open()) {
            Body body = read(results, exchange, share);
            return used(claims.result(id(context), caller, token, exchange.headers(), body), this::entry);
        }
    }

    private Reply renew(Exchange exchange, Context context) {
        Caller caller = caller(exchange);
        ClaimToken token = token(exchange.headers());
        try (ByteBudget.Share share = budget.open()) {
            Duration lease = reading.renewal(exchange.headers(), read(requests, exchange, share));
            return used(
                    claims.renew(id(context), caller, token, lease),
                    found -> EntryPages.ok(claim(found.entry(), found.now())));
        }
    }

    private Reply release(Exchange exchange, Context context) {
        Caller caller = caller(exchange);
        ClaimToken token = token(exchange.headers());
        return used(
                claims.release(id(context), caller, token),
                found -> Reply.of(204, Headers.of("Cache-Control", "no-store"), Body.empty()));
    }

    private static Reply used(HeldClaims.Used used, Function<Found, Reply> done) {
        return switch (used) {
            case HeldClaims.Used.Done(Found now) -> done.apply(now);
            case HeldClaims.Used.Refused(Refusal refusal) -> throw new Refusing(refusal);
        };
    }

    private Reply entry(Found found) {
        return EntryPages.ok(entryJson.forClient(found.entry()));
    }

    /// @param now by the ledger's clock, so that its holder need not trust its own
    private static ObjectNode claim(Entry entry, Instant now) {
        ObjectNode node = EntryJson.object();
        node.put("entry_id", entry.id().toString());
        // As text: half of these numbers are more than a double holds.
        node.put("attempt", Long.toString(entry.attempt()));
        node.put("lease_until", entry.leaseUntil().toString());
        node.put("now", now.toString());
        return node;
    }

    private static EntryId id(Context context) {
        return Parameters.entryId(context.pathParam("id"));
    }

    private static ClaimToken token(Headers headers) {
        List<String> lines = headers.all(TOKEN);
        Optional<ClaimToken> token = lines.size() == 1 ? ClaimToken.parse(lines.getFirst().strip()) : Optional.empty();
        return token.orElseThrow(() -> new Refusing(
                Problem.REQUEST_INVALID,
                "This needs the field " + TOKEN + " with the token that the claim was answered with: 32 characters."));
    }

    private Caller caller(Exchange exchange) {
        Caller caller = clients.authenticate(exchange.headers()).orElseThrow(CallHandler::unauthenticated);
        CallHandler.checkTarget(exchange);
        return caller;
    }

    private static Body read(BodyReader reader, Exchange exchange, ByteBudget.Share share) {
        @Nullable
        Body body = reader.whole(exchange, share);
        if (body == null) {
            throw new Refusing(Problem.REQUEST_INVALID, "The body did not come whole.");
        }
        return body;
    }
}

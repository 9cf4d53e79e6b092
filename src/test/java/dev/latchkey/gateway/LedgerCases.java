package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.Fingerprinting;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.SentAs;
import dev.latchkey.protocol.Statuses;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/// Requests, responses and attempts for a ledger's tests. Each instance is a client of its own.
public final class LedgerCases {

    /// The route's timeout.
    public static final Duration TIMEOUT = Duration.ofSeconds(30);
    /// How long the downstream deduplicates.
    public static final Duration WINDOW = Duration.ofHours(24);
    /// A retention that ends.
    public static final Retention BRIEF = new Retention(Duration.ofDays(10), Duration.ofDays(40), Duration.ofHours(1));

    private static final SentAs SENT_AS = SentAs.of("http://downstream", "derived", "Idempotency-Key", "bare");
    private static final SentAs SENT_OTHERWISE = SentAs.of("http://downstream", "as-sent", "Idempotency-Key", "bare");

    private final String client = "client-" + UUID.randomUUID();
    private final AtomicLong attempts = new AtomicLong(1_000);

    /// What a later request under the same key has changed.
    public enum Change { NONE, BODY, ROUTE, METHOD, SENT_AS, RESEND, NO_CORRECTIONS }

    /// The client.
    public String client() {
        return client;
    }

    /// An attempt that nobody has had.
    public long attempt() {
        return attempts.incrementAndGet();
    }

    /// A key that nobody has used.
    public Key key() {
        return new Key(client, IdempotencyKey.of("key-" + UUID.randomUUID()));
    }

    /// One key of the client.
    public record Key(String client, IdempotencyKey key) {

        /// The entry that it names.
        public EntryId id() {
            return EntryId.of(client, key);
        }

        /// The first request.
        public Ask ask() {
            return ask(Change.NONE);
        }

        /// A request with something changed.
        public Ask ask(Change change) {
            String method = change == Change.METHOD ? "PATCH" : "POST";
            String body =
                    change == Change.BODY || change == Change.NO_CORRECTIONS ? "{\"amount\":2}" : "{\"amount\":1}";
            Request request = new Request(
                    method, "/payments", null, Headers.of("Content-Type", "application/json"), Body.ofUtf8(body));
            Fingerprinting.Taken taken =
                    (Fingerprinting.Taken) Fingerprint.of(request, FingerprintPolicy.PLAIN, 1_000);
            return new Ask(
                    id(), client, key, route(change), taken.fingerprint(), taken.digest(), method, request.target());
        }

        /// The first request, for a claim that its caller holds.
        public Ask held(boolean releasedOnExpiry) {
            Ask plain = ask();
            return new Ask(
                    id(), client, key,
                    Route.ofHeldClaim("/v1/claims", Duration.ofMinutes(1), releasedOnExpiry, Retention.usual()),
                    plain.fingerprint(), plain.digest(), plain.method(), plain.target());
        }

        private static Route route(Change change) {
            return new Route(
                    change == Change.ROUTE ? "refunds" : "payments", TIMEOUT, Duration.ofSeconds(10),
                    change == Change.RESEND ? null : WINDOW, change == Change.RESEND, false,
                    change != Change.NO_CORRECTIONS, change == Change.SENT_AS ? SENT_OTHERWISE : SENT_AS,
                    Statuses.usual(),
                    Retention.usual());
        }
    }

    /// A record, kept as usual.
    public Transition.Record record(int status) {
        return record(status, Retention.usual());
    }

    /// A record.
    public Transition.Record record(int status, Retention retention) {
        return new Transition.Record(
                status, Headers.of("Content-Type", "text/plain"), Body.ofUtf8("status " + status), status / 100 == 4,
                retention);
    }

    /// A record whose body was over the cap.
    public Transition.Record recordWithoutBody() {
        return new Transition.Record(201, Headers.of("Content-Type", "text/plain"), null, false, Retention.usual());
    }

    /// What the holder of a claim says came of it.
    public Transition.Result result() {
        return new Transition.Result(
                Headers.of("Content-Type", "text/plain"), Body.ofUtf8("written"), Retention.usual());
    }

    /// A response that says nothing.
    public Transition.Doubt doubt(int status) {
        return new Transition.Doubt(Cause.ofStatus(status), status, Headers.of("Server", "x"), Body.ofUtf8("sorry"));
    }

    /// An operator's word that it happened.
    public Transition.Executed executed(long own) {
        return new Transition.Executed(
                own, 201, Headers.of("Content-Type", "text/plain"), Body.ofUtf8("found"), "verdict", "it is there",
                BRIEF);
    }
}

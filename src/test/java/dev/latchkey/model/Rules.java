package dev.latchkey.model;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.Fingerprinting;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.SentAs;
import dev.latchkey.protocol.Statuses;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// The one key, its two requests and its route, as the production code knows them.
final class Rules {

    static final String CLIENT = "pipelines";
    static final String ROUTE = "payments";
    static final IdempotencyKey KEY = IdempotencyKey.of("order-shipped:1001:2026-01-04");
    static final EntryId ID = EntryId.of(CLIENT, KEY);
    static final SentAs SENT_AS = SentAs.of("http://downstream", "derived", "Idempotency-Key", "bare");
    static final Duration TIMEOUT = Duration.ofSeconds(30);
    static final Duration MARGIN = Duration.ofSeconds(10);
    static final Duration LEASE = TIMEOUT.plus(MARGIN);
    static final Duration SETTLE_DELAY = Duration.ofMinutes(5);
    static final Duration WINDOW = Duration.ofHours(24);

    /// Attempt ids that the settlers write.
    static final int LOOKUP = 90;
    static final int VERDICT = 91;

    private static final List<Fingerprinting.Taken> TAKEN =
            Stream.of("{\"amount\":1}", "{\"amount\":2}").map(Rules::taken).toList();
    static final List<Fingerprint> FINGERPRINTS =
            TAKEN.stream().map(Fingerprinting.Taken::fingerprint).toList();

    private Rules() {}

    private static Fingerprinting.Taken taken(String body) {
        Request request = new Request(
                "POST", "/payments", null, Headers.of("Content-Type", "application/json"), Body.ofUtf8(body));
        return (Fingerprinting.Taken) Fingerprint.of(request, FingerprintPolicy.PLAIN, 1 << 20);
    }

    static Route route(Scenario scenario) {
        Statuses statuses = new Statuses(
                Set.of(), scenario.recordsCopies ? Set.of(409) : Set.of(), Set.of());
        return new Route(
                ROUTE, TIMEOUT, MARGIN, scenario.deduplicates ? WINDOW : null, false, scenario.lookups > 0,
                scenario.corrections, SENT_AS, statuses, Retention.usual());
    }

    static Ask ask(Route route, int body) {
        return new Ask(
                ID, CLIENT, KEY, route, FINGERPRINTS.get(body), TAKEN.get(body).digest(), "POST", "/payments");
    }

    static int bodyOf(Fingerprint fingerprint) {
        return FINGERPRINTS.indexOf(fingerprint);
    }

    static String name(int attempt) {
        return switch (attempt) {
            case LOOKUP -> "lookup";
            case VERDICT -> "verdict";
            default -> "call " + attempt;
        };
    }
}

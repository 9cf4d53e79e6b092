package dev.latchkey.protocol;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Routes, asks and entries for tests of the protocol.
final class Samples {

    static final Instant NOW = Instant.parse("2026-01-04T10:00:00Z");
    static final SentAs SENT_AS = SentAs.of("http://downstream", "derived", "Idempotency-Key", "bare");

    private Samples() {}

    static Route holding() {
        return route(null, false, SENT_AS, Statuses.usual());
    }

    static Route deduplicating() {
        return route(Duration.ofHours(24), false, SENT_AS, Statuses.usual());
    }

    static Route route(@Nullable Duration deduplicates, boolean resend, SentAs sentAs, Statuses statuses) {
        return new Route(
                "payments", Duration.ofSeconds(30), Duration.ofSeconds(10), deduplicates, resend, false, true, sentAs,
                statuses,
                Retention.usual());
    }

    static Ask ask(Route route, String body) {
        return ask(route, "POST", "/payments", body);
    }

    static Ask ask(Route route, String method, String target, String body) {
        return ask(route, method, target, body, FingerprintKeys.NONE);
    }

    static Ask ask(Route route, String method, String target, String body, FingerprintKeys keys) {
        Request request = new Request(
                method, target, null, Headers.of("Content-Type", "application/json"), Body.ofUtf8(body));
        IdempotencyKey key = IdempotencyKey.of("order-shipped:1001:2026-01-04");
        return switch (Fingerprint.of(request, FingerprintPolicy.PLAIN, keys, 1 << 20)) {
            case Fingerprinting.Taken taken -> new Ask(
                    EntryId.of("pipelines", key), "pipelines", key, route, taken.fingerprint(), taken.digest(), method,
                    target);
            case Fingerprinting.Undecodable other -> throw new IllegalArgumentException(other.reason());
            case Fingerprinting.TooLarge other -> throw new IllegalArgumentException("too large");
        };
    }

    static Entry claimed(Ask ask, long attempt) {
        return new Claim(ask, attempt, new Grounds.NoEntry()).applyTo(null, NOW).orElseThrow();
    }

    static Entry after(Entry entry, long attempt, Transition transition) {
        return transition.applyTo(entry, attempt, NOW.plusSeconds(1)).orElseThrow();
    }

    static Entry recorded(Ask ask, int status) {
        return after(claimed(ask, 1), 1, recording(status));
    }

    static Transition.Record recording(int status) {
        return new Transition.Record(
                status, Headers.empty(), Body.ofUtf8("done"), Statuses.usual().isRejection(status), Retention.usual());
    }

    static Entry doubtful(Ask ask) {
        return after(claimed(ask, 1), 1, Transition.Doubt.of(Cause.TIMEOUT));
    }

    static Found found(Entry entry) {
        return found(entry, NOW.plusSeconds(2));
    }

    static Found found(Entry entry, Instant now) {
        RecordedResponse response = entry.state() == State.RECORDED
                ? new RecordedResponse(Headers.empty(), Body.ofUtf8("done"), NOW.plus(Duration.ofDays(90)))
                : null;
        return new Found(entry, response, now);
    }
}

package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.telemetry.Traces;

/// Calls for tests, and what must be left of them: nothing.
final class CallsOf {

    private CallsOf() {}

    static Call keyed(Replicas.Replica replica, String key, String body) {
        Request request = new Request(
                "POST", "/payments/orders", null, Headers.of("Content-Type", "application/json"), Body.ofUtf8(body));
        return new Call(
                Caller.named(Replicas.CLIENT), replica.door("payments"), "/orders", request, IdempotencyKey.of(key),
                null,
                new Origin("http", "gateway", "127.0.0.1", "1.1"),
                Traces.unsent(() -> 0, () -> 1).begin(request.headers(), request.method(), true));
    }

    static void assertIdle(Replicas world, Replicas.Replica replica) {
        world.stage.settle();
        assertThat(replica.places.taken()).as("places").isZero();
        assertThat(replica.waiters.waiting()).as("waiting").isZero();
        assertThat(replica.waiters.attempts()).as("local attempts").isZero();
        assertThat(replica.poller.watching()).as("watches").isZero();
        assertThat(replica.budget.held()).as("bytes").isZero();
        assertThat(replica.keyed.abandoned()).as("abandoned claims").isZero();
    }
}

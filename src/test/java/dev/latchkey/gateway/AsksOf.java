package dev.latchkey.gateway;

import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.Fingerprinting;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.IdempotencyKey;

/// Claims of attempts that no replica of a test makes.
final class AsksOf {

    private AsksOf() {}

    static Claim claim(Replicas.Replica replica, String key, String body, long attempt) {
        return new Claim(ask(replica, key, body), attempt, new Grounds.NoEntry());
    }

    static Claim claimAfter(Replicas.Replica replica, String key, String body, long attempt, long seen) {
        return new Claim(ask(replica, key, body), attempt, new Grounds.NewGeneration(seen));
    }

    static Ask ask(Replicas.Replica replica, String key, String body) {
        Call call = CallsOf.keyed(replica, key, body);
        Fingerprinting.Taken taken =
                (Fingerprinting.Taken) Fingerprint.of(call.request(), FingerprintPolicy.PLAIN, 1_000_000);
        IdempotencyKey idempotencyKey = IdempotencyKey.of(key);
        return new Ask(
                EntryId.of(Replicas.CLIENT, idempotencyKey), Replicas.CLIENT, idempotencyKey, call.door().policy(),
                taken.fingerprint(), taken.digest(), "POST", call.request().target());
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.Fingerprinting;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Transition;
import org.jspecify.annotations.Nullable;

/// Writes entries into a ledger as calls would.
record Written(Ledger ledger, String client) {

    EntryId claimed(String key) {
        return claimed(key, "payments");
    }

    EntryId claimed(String key, String route) {
        Request request = new Request("POST", "/" + route + "/x", "a=b", Headers.empty(), Body.ofUtf8("{}"));
        IdempotencyKey named = IdempotencyKey.of(key);
        EntryId id = EntryId.of(client, named);
        Fingerprinting.Taken taken =
                (Fingerprinting.Taken) Fingerprint.of(request, FingerprintPolicy.PLAIN, 1 << 20);
        Ask ask = new Ask(
                id, client, named, RunningServer.route(route), taken.fingerprint(), taken.digest(), request.method(),
                request.target());
        ledger.claim(new Claim(ask, 7, new Grounds.NoEntry()));
        return id;
    }

    EntryId recorded(String key, int status, Headers headers, @Nullable Body body) {
        EntryId id = claimed(key);
        ledger.settle(id, 7, new Transition.Record(status, headers, body, false, Retention.usual()));
        return id;
    }

    EntryId doubted(String key) {
        EntryId id = claimed(key);
        ledger.settle(id, 7, Transition.Doubt.of(Cause.TIMEOUT));
        return id;
    }

    EntryId released(String key) {
        EntryId id = claimed(key);
        ledger.settle(id, 7, new Transition.Release(Cause.NOT_SENT));
        return id;
    }
}

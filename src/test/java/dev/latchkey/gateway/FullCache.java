package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.SentAs;
import dev.latchkey.protocol.State;
import dev.latchkey.telemetry.Metrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// A cache of recorded responses, full of them, for whoever measures what finding one costs. Safe for any number of
/// threads.
public final class FullCache {

    private static final Fingerprint FINGERPRINT = Fingerprint.of(new byte[33]);

    private final ReplayCache cache;
    private final List<EntryId> ids = new ArrayList<>();

    /// @param count how many responses of 300 bytes it holds
    public FullCache(int count) {
        this(count, 64L << 20, new Metrics("0"));
    }

    /// @param count how many it was told of
    /// @param bytes that it may hold
    FullCache(int count, long bytes, Metrics metrics) {
        Clocks clocks = new SystemClocks();
        this.cache = new ReplayCache(bytes, clocks, metrics);
        for (int i = 0; i < count; i++) {
            EntryId id = EntryId.of("open", IdempotencyKey.of("order-paid:" + i));
            cache.learn(
                    new Found(
                            entry(id, clocks.now()),
                            new RecordedResponse(
                                    Headers.of("Content-Type", "application/json"), Body.of(new byte[300]), null),
                            clocks.now()),
                    Since.now(clocks));
            ids.add(id);
        }
    }

    ReplayCache cache() {
        return cache;
    }

    /// Finds one of them.
    public Answer find(int number) {
        return cache.find(ids.get(number), FINGERPRINT::equals).orElseThrow().answer();
    }

    private static Entry entry(EntryId id, Instant now) {
        return new Entry(
                id, "open", "order-paid", "payments", "POST", "/payments", FINGERPRINT, 0,
                SentAs.of("http://downstream", "derived", "Idempotency-Key", "bare"), State.RECORDED, 1, 1, now, now,
                now.plusSeconds(40), null, null, now, null, 201, false, null, false, false);
    }
}

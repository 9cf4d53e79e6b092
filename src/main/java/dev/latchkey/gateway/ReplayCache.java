package dev.latchkey.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.RemovalCause;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.State;
import dev.latchkey.telemetry.Metrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Recorded responses in memory, bounded by bytes. Filled only with what is committed, and only with success: a rejection
/// may be corrected elsewhere (G10). What is in it goes before its retention ends (G17). Safe for any number of threads.
public final class ReplayCache {

    private static final Duration LOOK_AGAIN = Duration.ofSeconds(60);
    private static final Duration BEFORE_EXPIRY = Duration.ofSeconds(2);
    private static final int OVERHEAD = 1_000;

    private final Cache<EntryId, Kept> cache;
    private final Metrics metrics;

    /// An empty cache.
    ///
    /// @param bytes how much it may hold, roughly
    public ReplayCache(long bytes, Clocks clocks, Metrics metrics) {
        this.metrics = metrics;
        this.cache = Caffeine.newBuilder()
                .maximumWeight(bytes)
                .weigher((EntryId id, Kept kept) -> kept.weight())
                .ticker(clocks::nanos)
                // What a write leaves to do is little, and nobody waits for a thread of another pool.
                .executor(Runnable::run)
                .evictionListener((id, kept, cause) -> metrics.evicted(cause == RemovalCause.SIZE))
                .expireAfter(Expiry.creating((EntryId id, Kept kept) -> kept.left()))
                .build();
    }

    private record Kept(Found found, Since since) {
        int weight() {
            RecordedResponse response = found.response();
            Body body = response == null ? null : response.body();
            int weight = OVERHEAD + (body == null ? 0 : body.length());
            if (response != null) {
                for (Header line : response.headers()) {
                    weight += line.name().length() + line.value().length();
                }
            }
            return weight;
        }

        Duration left() {
            return lifetime().minus(since.elapsed());
        }

        private Duration lifetime() {
            Entry entry = found.entry();
            RecordedResponse response = found.response();
            Instant end = earlier(entry.expiresAt(), response == null ? found.now() : response.expiresAt());
            return end == null ? Duration.ofDays(3650) : Duration.between(found.now(), end).minus(BEFORE_EXPIRY);
        }

        private static @Nullable Instant earlier(@Nullable Instant one, @Nullable Instant other) {
            if (one == null || other == null) {
                return one == null ? other : one;
            }
            return one.isBefore(other) ? one : other;
        }
    }

    /// What the cache knows of a request.
    ///
    /// @param answer the replay
    /// @param fresh whether it was looked at within the last minute: else look in the ledger, and answer with this only
    ///     where that cannot be reached
    public record Hit(Answer.Delivered answer, boolean fresh) {}

    /// Looks up the same request. Another request under the key is not decided here: rejected, expired and corrected ones
    /// are for the ledger to tell (G10).
    ///
    /// @param same whether a fingerprint is the request's
    Optional<Hit> find(EntryId id, Predicate<Fingerprint> same) {
        Kept known = cache.getIfPresent(id);
        Kept kept = known != null && known.left().isPositive() ? known : null;
        RecordedResponse response = kept == null ? null : kept.found().response();
        boolean equal = kept != null && same.test(kept.found().entry().fingerprint());
        metrics.cache(equal && response != null);
        if (kept == null || response == null || !equal) {
            return Optional.empty();
        }
        boolean fresh = kept.since().elapsed().compareTo(LOOK_AGAIN) < 0;
        return Optional.of(new Hit(Answer.Delivered.replay(kept.found().entry(), response), fresh));
    }

    /// Keeps what the ledger holds, if it is a success that can be replayed; else forgets what was kept.
    ///
    /// @param since before the ledger was asked: what it said ages while it is on its way
    void learn(Found found, Since since) {
        Entry entry = found.entry();
        RecordedResponse response = found.response();
        Integer status = entry.status();
        boolean fit = entry.state() == State.RECORDED && status != null && status < 400 && !entry.erased()
                && response != null && response.replayable(found.now());
        Kept kept = new Kept(found, since);
        if (fit && kept.left().isPositive()) {
            cache.put(entry.id(), kept);
        } else {
            cache.invalidate(entry.id());
        }
    }

    /// Forgets, on erasure.
    public void forget(EntryId id) {
        cache.invalidate(id);
    }

    /// How many responses it holds, roughly.
    public long count() {
        return cache.estimatedSize();
    }

    /// How many bytes they take, roughly.
    public long bytes() {
        return cache.policy().eviction().flatMap(e -> e.weightedSize().stream().boxed().findFirst()).orElse(0L);
    }
}

package dev.latchkey.gateway;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What one client may take of a replica: forwards at once, and claims or forwards a second. Remembers only clients of the
/// last moments, since a JWT's issuer may name any number of them. Safe for any number of threads; never blocks.
public final class ClientBounds {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Bound usual;
    private final Map<String, Bound> own;
    private final Clocks clocks;
    private final Map<String, Integer> atOnce = new ConcurrentHashMap<>();
    /// When each client's calls so far would all have been due, had they come evenly.
    private final Cache<String, Long> due;

    /// @param usual for each client that has none of its own
    /// @param own by the client's oldest name
    public ClientBounds(Bound usual, Map<String, Bound> own, Clocks clocks) {
        this.usual = usual;
        this.own = Map.copyOf(own);
        this.clocks = clocks;
        // No call is let in more than a second early: what is older says nothing any more.
        this.due = Caffeine.newBuilder()
                .ticker(clocks::nanos)
                .executor(Runnable::run)
                .expireAfterWrite(Duration.ofSeconds(2))
                .build();
    }

    /// One client's.
    ///
    /// @param forwards under way at once
    /// @param perSecond claims and forwards, as many of them at once; null: no bound
    public record Bound(int forwards, @Nullable Integer perSecond) {}

    /// The same number of forwards at once for everybody.
    public static ClientBounds ofForwards(int forwards, Clocks clocks) {
        return new ClientBounds(new Bound(forwards, null), Map.of(), clocks);
    }

    private Bound of(String client) {
        return own.getOrDefault(client, usual);
    }

    /// Takes one of the client's places.
    ///
    /// @return false: none is free
    boolean enter(String client) {
        int most = of(client).forwards();
        boolean[] entered = new boolean[1];
        atOnce.compute(client, (_, taken) -> {
            int now = taken == null ? 0 : taken;
            entered[0] = now < most;
            return entered[0] ? (Integer) (now + 1) : taken;
        });
        return entered[0];
    }

    /// Gives it back.
    void leave(String client) {
        atOnce.computeIfPresent(client, (_, taken) -> taken == 1 ? null : taken - 1);
    }

    /// Counts a claim, or a forward without one.
    ///
    /// @return null where it may be made; else how long until it may
    @Nullable
    Duration pass(String client) {
        Integer perSecond = of(client).perSecond();
        if (perSecond == null) {
            return null;
        }
        long interval = SECOND / perSecond;
        long now = clocks.nanos();
        long[] early = new long[1];
        due.asMap().compute(client, (_, known) -> {
            long from = known == null || known - now < 0 ? now : known;
            early[0] = from - now - (SECOND - interval);
            return early[0] > 0 ? from : from + interval;
        });
        return early[0] > 0 ? Duration.ofNanos(early[0]) : null;
    }

    /// How many clients are remembered.
    long remembered() {
        due.cleanUp();
        return atOnce.size() + due.estimatedSize();
    }
}

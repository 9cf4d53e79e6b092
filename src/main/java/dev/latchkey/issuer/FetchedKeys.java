package dev.latchkey.issuer;

import com.nimbusds.jose.JWSHeader;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.security.PublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Keys that the issuer publishes. A token whose key is known waits for nobody; one whose key is not known has them fetched
/// again, once for all who ask: a few times in a row, and then no more often than every few seconds, for anybody can invent
/// a key's name. It is no key of the issuer's only where a fetch says so that began after the question came: in between
/// nothing can be said, for the issuer may have published it just now. Known keys are fetched again now and then, so that
/// withdrawn ones go; while the issuer is away they stay. Safe for any number of threads.
public final class FetchedKeys implements Keys {

    private static final Log LOG = Log.of(FetchedKeys.class);

    static final Duration SELDOM = Duration.ofSeconds(5);
    /// So many may follow each other at once: a key that was published just now is found although somebody has just looked.
    static final int IN_A_ROW = 3;
    static final Duration STALE = Duration.ofMinutes(5);
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Fetch fetch;
    private final Clocks clocks;
    private final Executor background;
    private volatile @Nullable Fetched last;
    private volatile List<String> said = List.of();
    private volatile long began;
    /// When the fetches so far would all have been due, had they come evenly.
    private long due;
    private volatile @Nullable CompletableFuture<Void> running;

    /// Gets the issuer's document.
    public interface Fetch {
        /// The JSON; whatever is thrown means that it could not be had, and its message says why and holds no secret.
        String text();
    }

    /// @param began when it was asked for
    private record Fetched(KeySet keys, long began) {}

    private FetchedKeys(Fetch fetch, Clocks clocks, Executor background) {
        this.fetch = fetch;
        this.clocks = clocks;
        this.background = background;
        this.began = clocks.nanos() - STALE.toNanos();
        this.due = clocks.nanos();
    }

    /// Begins to fetch at once, and waits for nothing.
    ///
    /// @param background runs each fetch
    public static FetchedKeys start(Fetch fetch, Clocks clocks, Executor background) {
        FetchedKeys keys = new FetchedKeys(fetch, clocks, background);
        keys.begin();
        return keys;
    }

    @Override
    public List<PublicKey> find(JWSHeader header) throws KeysAway {
        long asked = clocks.nanos();
        List<PublicKey> found = in(last, header);
        if (!found.isEmpty()) {
            if (asked - began > STALE.toNanos()) {
                begin();
            }
            return found;
        }
        begin();
        CompletableFuture<Void> fetching = running;
        if (fetching != null) {
            await(fetching);
        }
        Fetched now = last;
        found = in(now, header);
        if (found.isEmpty() && (now == null || now.began() - asked < 0)) {
            throw new KeysAway();
        }
        return found;
    }

    private static List<PublicKey> in(@Nullable Fetched fetched, JWSHeader header) {
        return fetched == null ? List.of() : fetched.keys().find(header);
    }

    /// Has them fetched, unless somebody does, or did too often of late.
    private synchronized void begin() {
        CompletableFuture<Void> before = running;
        boolean under = before != null && !before.isDone();
        long now = clocks.nanos();
        long from = due - now < 0 ? now : due;
        if (!under && from - now <= SELDOM.multipliedBy(IN_A_ROW - 1).toNanos()) {
            due = from + SELDOM.toNanos();
            began = now;
            running = CompletableFuture.runAsync(() -> fetch(now), background);
        }
    }

    private void fetch(long now) {
        try {
            List<String> unfit = new ArrayList<>();
            last = new Fetched(KeySet.published(fetch.text(), unfit::add), now);
            say(unfit);
        } catch (RuntimeException e) {
            LOG.warn(LogEvent.ISSUER_AWAY, "reason", String.valueOf(e.getMessage()));
        }
    }

    /// Once, and not at each fetch.
    private void say(List<String> unfit) {
        if (!unfit.equals(said)) {
            unfit.forEach(each -> LOG.warn(LogEvent.ISSUER_KEY_UNFIT, "reason", each));
        }
        said = unfit;
    }

    private void await(CompletableFuture<Void> fetched) {
        try {
            clocks.await(fetched, PATIENCE);
        } catch (TimeoutException | ExecutionException _) {
            // What is known by now has to do.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}

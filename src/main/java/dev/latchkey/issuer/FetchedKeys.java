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
/// again, once for all who ask, and no more often than every few seconds, for anybody can invent a key's name. Known keys
/// are fetched again now and then, so that withdrawn ones go; while the issuer is away they stay. Safe for any number of
/// threads.
public final class FetchedKeys implements Keys {

    private static final Log LOG = Log.of(FetchedKeys.class);

    static final Duration SELDOM = Duration.ofSeconds(5);
    static final Duration STALE = Duration.ofMinutes(5);
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private final Fetch fetch;
    private final Clocks clocks;
    private final Executor background;
    private volatile @Nullable KeySet keys;
    private volatile boolean failed;
    private volatile List<String> said = List.of();
    private volatile long began;
    private volatile @Nullable CompletableFuture<Void> running;

    /// Gets the issuer's document.
    public interface Fetch {
        /// The JSON; whatever is thrown means that it could not be had, and its message says why and holds no secret.
        String text();
    }

    private FetchedKeys(Fetch fetch, Clocks clocks, Executor background) {
        this.fetch = fetch;
        this.clocks = clocks;
        this.background = background;
        this.began = clocks.nanos() - STALE.toNanos();
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
        List<PublicKey> found = known(header);
        if (!found.isEmpty()) {
            if (clocks.nanos() - began > STALE.toNanos()) {
                begin();
            }
            return found;
        }
        begin();
        CompletableFuture<Void> fetching = running;
        boolean over = fetching == null || await(fetching);
        found = known(header);
        if (found.isEmpty() && (!over || failed || keys == null)) {
            throw new KeysAway();
        }
        return found;
    }

    private List<PublicKey> known(JWSHeader header) {
        KeySet now = keys;
        return now == null ? List.of() : now.find(header);
    }

    /// Has them fetched, unless somebody does or did just now.
    private synchronized void begin() {
        CompletableFuture<Void> last = running;
        boolean under = last != null && !last.isDone();
        if (!under && clocks.nanos() - began >= SELDOM.toNanos()) {
            began = clocks.nanos();
            running = CompletableFuture.runAsync(this::fetchNow, background);
        }
    }

    private void fetchNow() {
        try {
            List<String> unfit = new ArrayList<>();
            keys = KeySet.published(fetch.text(), unfit::add);
            failed = false;
            say(unfit);
        } catch (RuntimeException e) {
            failed = true;
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

    private boolean await(CompletableFuture<Void> fetched) {
        try {
            clocks.await(fetched, PATIENCE);
            return true;
        } catch (TimeoutException | ExecutionException _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}

package dev.latchkey.postgres;

import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The look at schema and keys that must come before everything else, made once. Where the server was away at the start, it is
/// made up for when somebody asks. Safe for any number of threads.
final class Preparation {

    private static final Log LOG = Log.of(Preparation.class);
    private static final long PATIENCE_MILLIS = 1_000;

    private final Schema schema;
    private final KeyCheck keys;
    private final boolean migrate;
    private final AtomicReference<@Nullable CompletableFuture<Void>> look = new AtomicReference<>();
    private volatile boolean done;
    private volatile @Nullable String unfit;

    Preparation(Schema schema, KeyCheck keys, boolean migrate) {
        this.schema = schema;
        this.keys = keys;
        this.migrate = migrate;
    }

    /// Returns when the schema fits; looks in the background and does not wait long.
    ///
    /// @throws LedgerUnavailable when it does not, or nobody knows yet
    void require() {
        if (done) {
            return;
        }
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> running = look.compareAndExchange(null, mine);
        if (running == null) {
            Thread.ofVirtual().name("ledger-preparation").start(() -> look(mine));
        }
        await(running == null ? mine : running);
    }

    private static void await(CompletableFuture<Void> look) {
        try {
            look.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable why = e.getCause() == null ? e : e.getCause();
            throw new LedgerUnavailable(String.valueOf(why.getMessage()), false, why);
        } catch (TimeoutException e) {
            throw new LedgerUnavailable("The ledger's schema has not been looked at yet", false, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LedgerUnavailable("Interrupted while the ledger's schema was looked at", false, e);
        }
    }

    private void look(CompletableFuture<Void> mine) {
        String known = unfit;
        try {
            prepare();
            mine.complete(null);
        } catch (RuntimeException e) {
            // At the start this ends the program with the sentence; later nobody would hear it.
            if (e instanceof LedgerUnfit && !String.valueOf(e.getMessage()).equals(known)) {
                LOG.warn(LogEvent.LEDGER_LOST, "reason", String.valueOf(e.getMessage()));
            }
            mine.completeExceptionally(e);
        } finally {
            look.set(null);
        }
    }

    /// Looks, and brings the schema up to date where that is wanted. The keys lie in it.
    ///
    /// @throws LedgerUnavailable when nobody knows yet
    /// @throws LedgerUnfit when it does not fit
    void prepare() {
        try {
            if (migrate) {
                schema.migrate(keys);
            } else {
                schema.check(keys);
            }
            unfit = null;
            done = true;
        } catch (LedgerUnfit e) {
            unfit = e.getMessage();
            throw e;
        }
    }

    /// Why the schema, the keys or the server must not be used; null: nothing is known against them.
    @Nullable
    String unfit() {
        return unfit;
    }
}

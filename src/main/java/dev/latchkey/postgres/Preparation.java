package dev.latchkey.postgres;

import dev.latchkey.gateway.LedgerUnavailable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The look at the schema that must come before everything else, made once. Where the server was away at the start, it is
/// made up for by the first one who asks; the others are refused meanwhile. Safe for any number of threads.
final class Preparation {

    private final Schema schema;
    private final boolean migrate;
    private final ReentrantLock looking = new ReentrantLock();
    private volatile boolean done;
    private volatile @Nullable String unfit;

    Preparation(Schema schema, boolean migrate) {
        this.schema = schema;
        this.migrate = migrate;
    }

    /// Returns when the schema fits.
    ///
    /// @throws LedgerUnavailable when it does not, or nobody knows yet
    void require() {
        if (done) {
            return;
        }
        try {
            prepare();
        } catch (LedgerUnfit e) {
            throw new LedgerUnavailable(String.valueOf(e.getMessage()), false, e);
        }
    }

    /// Looks, and brings the schema up to date where that is wanted.
    ///
    /// @throws LedgerUnavailable when nobody knows yet
    /// @throws LedgerUnfit when it does not fit
    void prepare() {
        if (!looking.tryLock()) {
            throw new LedgerUnavailable("The ledger's schema has not been looked at yet", false, null);
        }
        try {
            look();
        } finally {
            looking.unlock();
        }
    }

    private void look() {
        if (done) {
            return;
        }
        try {
            if (migrate) {
                schema.migrate();
            } else {
                schema.check();
            }
            unfit = null;
            done = true;
        } catch (LedgerUnfit e) {
            unfit = e.getMessage();
            throw e;
        }
    }

    /// Why the schema or the server must not be used; null: nothing is known against them.
    @Nullable String unfit() {
        return unfit;
    }
}

package dev.latchkey.postgres;

import org.jspecify.annotations.Nullable;

/// The ledger's server, folder or schema cannot be used as it is, and waiting does not help. The message is one or two
/// sentences for people: what is wrong, and what to do.
public final class LedgerUnfit extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public LedgerUnfit(String message) {
        super(message);
    }

    public LedgerUnfit(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

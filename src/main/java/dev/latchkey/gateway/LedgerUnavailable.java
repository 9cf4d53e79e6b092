package dev.latchkey.gateway;

import org.jspecify.annotations.Nullable;

/// The ledger did not answer. Whether what was asked has been committed is part of it: a commit whose acknowledgement was
/// lost may hold, and is confirmed by a durable write, never by a read (G7).
public class LedgerUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final boolean commitUnknown;

    /// @param message what failed, without key, body or credential
    /// @param commitUnknown whether the write may have been committed
    public LedgerUnavailable(String message, boolean commitUnknown, @Nullable Throwable cause) {
        super(message, cause);
        this.commitUnknown = commitUnknown;
    }

    /// Whether the write may have been committed, now or later.
    public final boolean commitUnknown() {
        return commitUnknown;
    }
}

package dev.latchkey.postgres;

import dev.latchkey.gateway.LedgerUnavailable;

/// No server could be reached for as long as one waits for that. Nothing was sent.
final class LedgerUnreached extends LedgerUnavailable {

    private static final long serialVersionUID = 1L;

    LedgerUnreached(String message, Throwable cause) {
        super(message, false, cause);
    }
}

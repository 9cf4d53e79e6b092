package dev.latchkey.protocol;

import java.util.Locale;

/// The states of an entry. The order is that of the ledger's codes.
public enum State {
    /// An attempt has the right to forward; its lease runs.
    CLAIMED,
    /// The response is the answer from now on.
    RECORDED,
    /// An effect may have happened; nobody knows.
    IN_DOUBT,
    /// Provably no effect; the key is free again.
    RELEASED;

    /// The number that the ledger's table holds.
    public int code() {
        return ordinal();
    }

    /// The state with that code.
    ///
    /// @throws IllegalArgumentException for a code that no version of ours has written
    public static State ofCode(int code) {
        if (code < 0 || code >= values().length) {
            throw new IllegalArgumentException("no state has the code " + code);
        }
        return values()[code];
    }

    /// The name in answers: `claimed`, `recorded`, `in-doubt`, `released`.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

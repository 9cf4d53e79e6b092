package dev.latchkey.protocol;

import java.util.Locale;

/// The states of an entry.
public enum State {
    /// An attempt has the right to forward; its lease runs.
    CLAIMED(0),
    /// The response is the answer from now on.
    RECORDED(1),
    /// An effect may have happened; nobody knows.
    IN_DOUBT(2),
    /// Provably no effect; the key is free again.
    RELEASED(3);

    private final int code;

    State(int code) {
        this.code = code;
    }

    /// The number that the ledger's table holds.
    public int code() {
        return code;
    }

    /// The state with that code.
    ///
    /// @throws IllegalArgumentException for a code that no version of ours has written
    public static State ofCode(int code) {
        for (State state : values()) {
            if (state.code == code) {
                return state;
            }
        }
        throw new IllegalArgumentException("no state has the code " + code);
    }

    /// The name in answers: `claimed`, `recorded`, `in-doubt`, `released`.
    public String wireName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

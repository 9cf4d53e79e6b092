package dev.latchkey.torture;

import org.jspecify.annotations.Nullable;

/// How the ledger says that a key ended.
///
/// @param state `claimed`, `recorded`, `released` or `in-doubt`; `none`: it has no entry
/// @param status the recorded status; null: not recorded, or not known
/// @param attempts claims of its generation; more than one: it was forwarded again
public record Ending(String state, @Nullable Integer status, int attempts) {

    /// The ledger has no entry of the key.
    public static final Ending NONE = new Ending("none", null, 0);

    boolean isNone() {
        return state.equals("none");
    }

    boolean isClaimed() {
        return state.equals("claimed");
    }

    boolean isRecorded() {
        return state.equals("recorded");
    }

    /// Whether it is recorded with that status, for all that is known.
    boolean isRecordedWith(int told) {
        return isRecorded() && (status == null || status == told);
    }

    @Override
    public String toString() {
        return status == null ? state : state + " with " + status;
    }
}

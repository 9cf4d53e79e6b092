package dev.latchkey.torture;

/// One answer that a caller got.
///
/// @param key the idempotency key
/// @param request which of the requests under that key: its body
/// @param status the status
/// @param body what the answer carried
/// @param state `Idempotency-State`; empty: none
/// @param replayed `Idempotent-Replayed`
/// @param problem name of the problem; empty: this is no refusal of the gateway's
/// @param forwarded what the refusal says of it: `no`, `maybe`, `yes`; empty: nothing
/// @param newKeySafe what the refusal says of it
/// @param asked monotonic nanoseconds when the call began
/// @param heard monotonic nanoseconds when the answer was there
public record Told(
        String key, String request, int status, String body, String state, boolean replayed, String problem,
        String forwarded, boolean newKeySafe, long asked, long heard) {

    /// Whether it binds: only what is called recorded must stay the answer (contract §6).
    public boolean recorded() {
        return state.equals("recorded") && problem.isEmpty();
    }

    /// Whether the effect is said to have happened, for good.
    boolean success() {
        return recorded() && status >= 200 && status < 400;
    }

    /// Whether the downstream is said to have refused, for good.
    boolean rejection() {
        return recorded() && status >= 400 && status < 500;
    }

    /// Whether it says nothing of the key: not now, not you, not here.
    boolean silent() {
        return switch (problem) {
            case "overloaded", "draining", "ledger-unavailable", "too-many-calls", "internal-error",
                    "unauthenticated" ->
                    true;
            default -> false;
        };
    }

    /// Its kind, for people and for counting.
    public String kind() {
        return problem.isEmpty()
                ? status + (state.isEmpty() ? "" : " " + state) + (replayed ? " replayed" : "")
                : status + " " + problem;
    }
}

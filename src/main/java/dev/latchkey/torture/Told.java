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

    /// Whether it is recorded for good: no changed request can follow it.
    boolean lasting() {
        return recorded() && (status < 400 || status >= 500);
    }

    /// Whether the effect is said to have happened, for good.
    boolean success() {
        return recorded() && status < 400;
    }

    /// Whether the downstream is said to have refused.
    boolean rejection() {
        return recorded() && status >= 400 && status < 500;
    }

    /// Whether the response is said to be no longer kept.
    boolean gone() {
        return problem.equals("response-gone");
    }

    /// Whether the key is said to be another request's.
    boolean mismatch() {
        return problem.equals("key-reused");
    }

    /// Whether nobody is said to know.
    boolean doubtful() {
        return state.equals("in-doubt");
    }

    /// Whether a success lacks its mark: every answer says what state its key is in.
    boolean unmarked() {
        return problem.isEmpty() && state.isEmpty() && status < 400;
    }

    /// Whether it says nothing of the key: not now, not you, not here. What has no mark at all comes from something between.
    boolean silent() {
        return switch (problem) {
            case "in-progress", "outcome-unknown", "response-gone", "key-reused", "not-forwarded" -> false;
            default -> !problem.isEmpty() || (state.isEmpty() && !unmarked());
        };
    }

    /// Whether the call that was told this took no effect: it sent nothing, or what it sent was refused.
    boolean denying() {
        return switch (problem) {
            case "ledger-unavailable", "overloaded", "draining", "too-many-calls" -> true;
            default -> rejection() || forwarded.equals("no") || (problem.isEmpty() && state.equals("released"));
        };
    }

    /// Its kind, for people and for counting.
    public String kind() {
        return problem.isEmpty()
                ? status + (state.isEmpty() ? "" : " " + state) + (replayed ? " replayed" : "")
                : status + " " + problem;
    }
}

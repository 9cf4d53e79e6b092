package dev.latchkey.gateway;

import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.State;
import java.util.Objects;

/// Which answers may follow one that binds (contract §6: only `Idempotency-State: recorded` does), as long as what it told
/// of is neither corrected nor past its retention.
final class AnswerRules {

    private AnswerRules() {}

    /// Whether it binds those that come later.
    static boolean binds(Answer answer) {
        return answer instanceof Answer.Delivered delivered && delivered.state() == State.RECORDED;
    }

    /// Whether the later answer may be told after the earlier.
    ///
    /// @param sameRequest whether both calls asked for the same
    static boolean allows(Answer.Delivered earlier, Answer later, boolean sameRequest) {
        return switch (later) {
            case Answer.Delivered it -> sameRequest && it.state() == State.RECORDED && same(earlier, it);
            // Nothing is forwarded any more, so nothing streams.
            case Answer.Streamed it -> false;
            case Answer.Refused it -> allows(it.refusal(), sameRequest);
        };
    }

    private static boolean same(Answer.Delivered one, Answer.Delivered other) {
        return one.response().status() == other.response().status()
                && Objects.equals(one.response().body(), other.response().body());
    }

    private static boolean allows(Refusal refusal, boolean sameRequest) {
        return switch (refusal.problem()) {
            // These speak of the call, not of its key.
            case LEDGER_UNAVAILABLE, OVERLOADED, TOO_MANY_CALLS, DRAINING -> true;
            // The response's own retention, or an erasure; a changed request, too, gets it after that.
            case RESPONSE_GONE -> true;
            case KEY_REUSED -> !sameRequest;
            // It is known what became of it, and nothing is under way.
            default -> false;
        };
    }
}

package dev.latchkey.protocol;

import java.util.Set;

/// What a complete response's status says about the effect, with a route's own moves.
///
/// @param released statuses that promise that nothing was done
/// @param recorded statuses that are the answer from now on
/// @param inDoubt statuses that say nothing
public record Statuses(Set<Integer> released, Set<Integer> recorded, Set<Integer> inDoubt) {

    private static final Set<Integer> RELEASED_BY_NATURE = Set.of(401, 407, 425, 429);
    private static final int REQUEST_TIMEOUT = 408;

    public Statuses {
        released = Set.copyOf(released);
        recorded = Set.copyOf(recorded);
        inDoubt = Set.copyOf(inDoubt);
    }

    /// No moves.
    public static Statuses usual() {
        return new Statuses(Set.of(), Set.of(), Set.of());
    }

    /// Where a first forward's entry goes.
    ///
    /// @param sentWhole whether the last byte of the request had been handed over before the response came, or may have
    ///     been: a 408 after that may hide an effect
    public State stateAfter(int status, boolean sentWhole) {
        if (released.contains(status)) {
            return State.RELEASED;
        }
        if (recorded.contains(status)) {
            return State.RECORDED;
        }
        if (inDoubt.contains(status) || status >= 500 || status < 200) {
            return State.IN_DOUBT;
        }
        if (status == REQUEST_TIMEOUT) {
            return sentWhole ? State.IN_DOUBT : State.RELEASED;
        }
        return RELEASED_BY_NATURE.contains(status) ? State.RELEASED : State.RECORDED;
    }

    /// Whether a re-forward's response settles the entry: a copy of a request that acted is often answered 409 or 422, so
    /// only success, or what the route lists, is believed (G2, G3).
    public boolean settlesReforward(int status) {
        boolean moved = released.contains(status) || inDoubt.contains(status);
        return recorded.contains(status) || (status >= 200 && status < 400 && !moved);
    }

    /// Whether a recorded first forward with this status was refused by the downstream: a 4xx that the route did not move.
    public boolean isRejection(int status) {
        return status >= 400 && status < 500 && !recorded.contains(status);
    }
}

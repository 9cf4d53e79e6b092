package dev.latchkey.gateway;

/// What can be left out of a [Simulation], to see whether it would notice. The numbers are those of the design's guards.
enum Guard {
    /// Nothing: all is right.
    NONE,
    /// G1: transitions compare the attempt.
    FENCED_BY_ATTEMPT,
    /// G1: transitions compare the state.
    FENCED_BY_STATE,
    /// G2: a re-forward that was not sent goes back to doubt.
    REFORWARD_IS_NOT_RELEASED,
    /// G3: only 2xx or 3xx settles a re-forward.
    REFORWARD_IS_SETTLED_BY_SUCCESS,
    /// G4: *not executed* only on evidence later than the lease's end and the delay.
    SETTLE_DELAY,
    /// G5: a verdict or lookup settles only the attempt that it looked at.
    VERDICT_BOUND_TO_ATTEMPT,
    /// G5: a settler has itself seen the doubt for the delay.
    SETTLER_WATCHES,
    /// G5: the replica's own wall clock, too, must say that the delay is over.
    VERDICT_BY_TWO_CLOCKS,
    /// G6: nothing is sent once the window is shut.
    SEND_WINDOW,
    /// G6: the window is shut once the wall clock says so.
    SEND_WINDOW_BY_WALL,
    /// G6: the window is shut once the monotonic clock says so.
    SEND_WINDOW_BY_MONOTONIC,
    /// G7: what may be mine is confirmed by a write.
    CONFIRMED_BY_WRITE,
    /// G9: a dead claim is released as often as it appears.
    RELEASED_UNTIL_GONE,
    /// G10: rejections are never cached.
    REJECTIONS_NOT_CACHED,
    /// G12: what is acknowledged is replicated.
    REPLICATED,
    /// G13: a re-forward arrives inside the window.
    DEDUPLICATION_WINDOW,
    /// G14: the sweep repeats its conditions in its write.
    SWEEP_LOOKS_AGAIN,
    /// G14: the purge repeats its conditions in its write.
    PURGE_LOOKS_AGAIN,
    /// G15: an erased entry stays.
    ERASED_ENTRY_STAYS,
    /// G17: what is cached goes before its retention ends.
    CACHE_EXPIRES,
    /// G19: the correction number survives.
    CORRECTION_SURVIVES,
    /// G20: since when in doubt is kept until a new generation.
    DOUBT_IS_REMEMBERED,
    /// G21: who loses keeps its hands off the response.
    LOSER_LEAVES_THE_RESPONSE,
    /// G22: on a timeout the connection is reset, so that unsent bytes die with it.
    RESET_ON_TIMEOUT,
    /// The lease: nobody takes a claim over by age.
    NO_TAKEOVER_BY_AGE
}

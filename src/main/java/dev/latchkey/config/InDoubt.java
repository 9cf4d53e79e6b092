package dev.latchkey.config;

/// `routes[].in-doubt`: what a call that finds its entry in doubt meets.
public enum InDoubt {
    /// It is answered that nobody knows.
    HOLD,
    /// It is forwarded again: at least once, by choice.
    RESEND
}

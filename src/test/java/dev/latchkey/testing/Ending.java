package dev.latchkey.testing;

/// How a connection through a [CuttingProxy] dies.
public enum Ending {
    /// Both ends see a reset (RST).
    RESET,
    /// Both ends see an orderly close (FIN).
    FIN,
    /// What goes this way is swallowed from now on, and nobody is told: a half-open connection.
    SILENCE,
    /// What goes either way is swallowed from now on, and nobody is told: the other end has vanished.
    VANISHED
}

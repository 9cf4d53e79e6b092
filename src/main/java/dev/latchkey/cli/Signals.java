package dev.latchkey.cli;

/// Where the wish to stop comes from.
interface Signals {

    /// Has the handler run, each time on a thread of its own, whenever somebody wants the program to end.
    void onTermination(Runnable handler);
}

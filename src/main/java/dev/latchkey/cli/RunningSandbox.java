package dev.latchkey.cli;

/// A sandbox downstream that was started.
public interface RunningSandbox extends AutoCloseable {

    /// Where it listens.
    int port();

    /// Stops at once; may be called more than once.
    @Override
    void close();
}

package dev.latchkey.cli;

/// A gateway that was started, and says that it is ready once it is told to. Safe for any number of threads.
public interface RunningGateway extends AutoCloseable {

    /// Where calls come in.
    int port();

    /// Where health, metrics and operators come in.
    int managementPort();

    /// Says from now on that it is ready for calls.
    void begin();

    /// Refuses new calls after `drain.delay` and returns when those under way have finished or `drain.timeout` is over.
    void drain();

    /// Returns when it has been drained or closed, or has ended by itself.
    void awaitEnd() throws InterruptedException;

    /// Stops at once; may be called more than once, and after a drain.
    @Override
    void close();
}

package dev.latchkey.cli;

import dev.latchkey.config.Settings;

/// What the commands start. An implementation says what is wrong in a sentence, by [StartFailure], wherever the fault is
/// not its own.
public interface Program {

    /// Starts the gateway and returns once it is ready.
    RunningGateway gateway(Settings settings);

    /// Brings the ledger's schema up to date.
    void migrate(Settings settings);

    /// Starts the sandbox downstream and returns once it answers.
    ///
    /// @param port 0: any free one
    RunningSandbox sandbox(String host, int port);
}

package dev.latchkey;

import dev.latchkey.cli.Program;
import dev.latchkey.cli.RunningGateway;
import dev.latchkey.cli.RunningSandbox;
import dev.latchkey.cli.StartFailure;
import dev.latchkey.config.Settings;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.postgres.LedgerUnfit;
import dev.latchkey.sandbox.Sandbox;

/// What the commands start.
final class Parts implements Program {

    @Override
    public RunningGateway gateway(Settings settings) {
        try {
            return Gateway.start(settings);
        } catch (LedgerUnfit e) {
            throw new StartFailure(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void migrate(Settings settings) {
        try {
            Ledgers.migrate(settings);
        } catch (LedgerUnfit | LedgerUnavailable e) {
            throw new StartFailure(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public RunningSandbox sandbox(String host, int port) {
        Sandbox sandbox = Sandbox.start(host, port);
        return new RunningSandbox() {
            @Override
            public int port() {
                return sandbox.port();
            }

            @Override
            public void close() {
                sandbox.close();
            }
        };
    }
}

package dev.latchkey;

import dev.latchkey.cli.Cli;
import dev.latchkey.cli.LogChoice;
import dev.latchkey.cli.Program;
import dev.latchkey.cli.RunningGateway;
import dev.latchkey.cli.RunningSandbox;
import dev.latchkey.cli.StartFailure;
import dev.latchkey.config.Settings;
import dev.latchkey.sandbox.Sandbox;

/// Where the program begins: gives the commands what they start, and the process its exit status.
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        LogChoice.make(args);
        System.exit(Cli.of(new Parts()).run(args));
    }

    private static final class Parts implements Program {

        @Override
        public RunningGateway gateway(Settings settings) {
            throw new StartFailure("The gateway is not built in yet.");
        }

        @Override
        public void migrate(Settings settings) {
            throw new StartFailure("The ledger is not built in yet.");
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
}

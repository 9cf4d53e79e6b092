package dev.latchkey.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "sandbox",
        description = "Runs only the sandbox downstream, on the loopback address: payments, which deduplicate, and"
                + " notifications, which do not. GET /effects tells how often each happened.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        footer = {"", "Example:  latchkey sandbox --port 8081"})
final class SandboxCommand implements Callable<Integer> {

    static final String HOST = "127.0.0.1";
    static final int PORT = 8081;

    private final Program program;
    private final Lifetime lifetime;

    @Spec
    private CommandSpec spec;

    @Option(names = "--port", paramLabel = "N", description = "Default: 8081. 0: any free port.")
    private int port = PORT;

    SandboxCommand(Program program, Lifetime lifetime) {
        this.program = program;
        this.lifetime = lifetime;
    }

    @Override
    public Integer call() {
        Ports.check(spec, "--port", port);
        RunningSandbox sandbox = program.sandbox(HOST, port);
        PrintWriter out = spec.commandLine().getOut();
        return lifetime.of(sandbox, () -> {
            out.println("The sandbox downstream is ready on http://" + HOST + ":" + sandbox.port());
            out.flush();
        });
    }
}

package dev.latchkey.cli;

import dev.latchkey.config.Settings;
import dev.latchkey.config.SettingsException;
import dev.latchkey.config.SettingsLoader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "demo",
        description = "The quick start: the gateway on 8080, its management port on 9090, an embedded PostgreSQL under"
                + " .latchkey/ and the sandbox downstream, all on the loopback address. Says what to try.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        footer = {
            "",
            "Example:  latchkey demo --port 18080 --management-port 19090",
            "",
            "The variables LATCHKEY_PORT, LATCHKEY_MANAGEMENT_PORT, LATCHKEY_SANDBOX_PORT and LATCHKEY_DATA_DIR do the"
                    + " same as the options."
        })
final class DemoCommand implements Callable<Integer> {

    private static final String SETTINGS = "demo.yaml";

    private final Program program;
    private final Function<String, @Nullable String> environment;
    private final Lifetime lifetime;

    @Spec
    private CommandSpec spec;

    @Option(names = "--port", paramLabel = "N", description = "Of the gateway. Default: 8080. 0: any free port.")
    private @Nullable Integer port;

    @Option(
            names = "--management-port",
            paramLabel = "N",
            description = "Of health, metrics and operators. Default: 9090. 0: any free port.")
    private @Nullable Integer managementPort;

    @Option(
            names = "--sandbox-port",
            paramLabel = "N",
            description = "Of the sandbox downstream. Default: 8081, or any free one where that is taken.")
    private @Nullable Integer sandboxPort;

    @Option(names = "--data-dir", paramLabel = "FOLDER", description = "Of the ledger. Default: .latchkey/postgres.")
    private @Nullable String dataDir;

    DemoCommand(Program program, Function<String, @Nullable String> environment, Lifetime lifetime) {
        this.program = program;
        this.environment = environment;
        this.lifetime = lifetime;
    }

    @Override
    public Integer call() throws SettingsException {
        // What is wrong is said before anything starts.
        settings(0);
        try (RunningSandbox sandbox = sandbox()) {
            Settings settings = settings(sandbox.port());
            RunningGateway gateway = program.gateway(settings);
            PrintWriter out = spec.commandLine().getOut();
            return lifetime.of(gateway, () -> {
                Ready.log(settings, gateway);
                out.print(DemoScreen.text(settings, gateway, sandbox));
                out.flush();
            });
        }
    }

    private RunningSandbox sandbox() {
        String named = sandboxPort == null ? environment.apply("LATCHKEY_SANDBOX_PORT") : String.valueOf(sandboxPort);
        if (named != null) {
            return program.sandbox(SandboxCommand.HOST, Ports.parse(spec, "the sandbox's port", named));
        }
        try {
            return program.sandbox(SandboxCommand.HOST, SandboxCommand.PORT);
        } catch (RuntimeException e) {
            if (TakenPort.in(e) == null) {
                throw e;
            }
            return program.sandbox(SandboxCommand.HOST, 0);
        }
    }

    private Settings settings(int actualSandboxPort) throws SettingsException {
        Map<String, String> options = new HashMap<>();
        options.put("LATCHKEY_SANDBOX", "http://" + SandboxCommand.HOST + ":" + Math.max(1, actualSandboxPort));
        put(options, "LATCHKEY_PORT", port);
        put(options, "LATCHKEY_MANAGEMENT_PORT", managementPort);
        put(options, "LATCHKEY_DATA_DIR", dataDir);
        return new SettingsLoader(name -> options.containsKey(name) ? options.get(name) : environment.apply(name))
                .read(SETTINGS, text());
    }

    private static void put(Map<String, String> options, String name, @Nullable Object value) {
        if (value != null) {
            options.put(name, value.toString());
        }
    }

    private static String text() {
        try (InputStream file = Objects.requireNonNull(DemoCommand.class.getResourceAsStream(SETTINGS))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

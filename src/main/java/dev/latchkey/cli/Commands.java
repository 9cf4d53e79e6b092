package dev.latchkey.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// Every command, as picocli is told of them.
final class Commands {

    private Commands() {}

    static int run(Serving serving, Terminal terminal, String... args) {
        SettingsOption.Reader settings = new SettingsOption.Reader(serving.environment());
        Lifetime lifetime = serving.lifetime();
        return new CommandLine(new LatchkeyCommand())
                .addSubcommand(new DemoCommand(serving.program(), serving.environment(), lifetime))
                .addSubcommand(new ServeCommand(serving, settings))
                .addSubcommand(new CheckCommand(settings))
                .addSubcommand(new MigrateCommand(serving.program(), settings))
                .addSubcommand(new SandboxCommand(serving.program(), lifetime))
                .addSubcommand(new EntriesCommand(serving.environment()))
                .addSubcommand(new VerdictCommand(serving.environment(), () -> typedLine(terminal.in())))
                .addSubcommand(new KeyCommand(terminal.in()))
                .addSubcommand(new TortureCommand(settings, lifetime))
                .addSubcommand(new CommandLine.HelpCommand())
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setUsageHelpWidth(100)
                .setExecutionExceptionHandler((failure, command, parsed) -> Failures.report(failure, terminal.err()))
                .setParameterExceptionHandler((failure, typed) -> explain(failure))
                .execute(args);
    }

    private static @Nullable String typedLine(InputStream in) {
        try {
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        } catch (IOException _) {
            return null;
        }
    }

    private static int explain(ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(failure.getMessage());
        UnmatchedArgumentException.printSuggestions(failure, err);
        err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
        return ExitStatus.WRONG_USAGE_OR_SETTINGS;
    }
}

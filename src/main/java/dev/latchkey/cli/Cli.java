package dev.latchkey.cli;

import dev.latchkey.config.SettingsException;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command line: runs what was typed and answers with the exit status. 0 clean, 1 failed while running, 2 wrong usage
/// or settings. What can be expected to go wrong is said in a sentence on standard error.
public final class Cli {

    private static final Log LOG = Log.of(Cli.class);

    private final CommandLine commands;

    Cli(Program program, Function<String, @Nullable String> environment, Lifetime lifetime) {
        this(program, environment, lifetime, System.in);
    }

    /// @param in standard input, of which nothing is read before a command needs it
    Cli(Program program, Function<String, @Nullable String> environment, Lifetime lifetime, InputStream in) {
        SettingsOption.Reader settings = new SettingsOption.Reader(environment);
        commands = new CommandLine(new LatchkeyCommand())
                .addSubcommand(new DemoCommand(program, environment, lifetime))
                .addSubcommand(new ServeCommand(program, settings, lifetime))
                .addSubcommand(new CheckCommand(settings))
                .addSubcommand(new MigrateCommand(program, settings))
                .addSubcommand(new SandboxCommand(program, lifetime))
                .addSubcommand(new EntriesCommand(environment))
                .addSubcommand(new VerdictCommand(environment, () -> typedLine(in)))
                .addSubcommand(new KeyCommand(in))
                .addSubcommand(new TortureCommand(settings, lifetime))
                .addSubcommand(new CommandLine.HelpCommand())
                .setUsageHelpWidth(100)
                .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, command.getErr()))
                .setParameterExceptionHandler((failure, args) -> explain(failure));
    }

    /// With the environment and the signals of this process.
    public static Cli of(Program program) {
        return new Cli(program, System::getenv, Lifetime.ofThisProcess());
    }

    private static @Nullable String typedLine(InputStream in) {
        try {
            return new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        } catch (IOException _) {
            return null;
        }
    }

    /// Returns when the command has ended.
    public int run(String... args) {
        return commands.execute(args);
    }

    CommandLine commands() {
        return commands;
    }

    private static int explain(ParameterException failure) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        err.println(failure.getMessage());
        UnmatchedArgumentException.printSuggestions(failure, err);
        err.println("See " + command.getCommandSpec().qualifiedName() + " --help.");
        return ExitStatus.WRONG_USAGE_OR_SETTINGS;
    }

    private static int report(Exception failure, PrintWriter err) {
        if (failure instanceof SettingsException wrong) {
            wrong.problems().forEach(err::println);
            int count = wrong.problems().size();
            err.println((count == 1 ? "1 problem" : count + " problems") + "; nothing was started.");
            return ExitStatus.WRONG_USAGE_OR_SETTINGS;
        }
        err.println(sentence(failure));
        return ExitStatus.FAILED;
    }

    private static String sentence(Exception failure) {
        if (failure instanceof StartFailure known) {
            return String.valueOf(known.getMessage());
        }
        String address = TakenPort.in(failure);
        if (address != null) {
            return address
                    + " cannot be listened on: something else does, or it is not this machine's. End what does, or"
                    + " choose another port (0: any free one).";
        }
        LOG.failure(LogEvent.FAILED, failure);
        return "Latchkey failed for a reason it does not know (" + failure.getClass().getSimpleName()
                + "); the log names the place.";
    }
}

package dev.latchkey.cli;

import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The command line: runs what was typed and answers with the exit status. 0 clean, 1 failed while running, 2 wrong usage
/// or settings. What can be expected to go wrong is said in a sentence on standard error.
public final class Cli {

    private final Serving serving;
    private final Terminal terminal;

    Cli(Program program, Function<String, @Nullable String> environment, Lifetime lifetime, Terminal terminal) {
        this.serving = new Serving(program, environment, lifetime);
        this.terminal = terminal;
    }

    /// With the environment, the signals and the terminal of this process.
    public static Cli of(Program program) {
        return new Cli(program, System::getenv, Lifetime.ofThisProcess(), Terminal.ofThisProcess());
    }

    /// Returns when the command has ended.
    public int run(String... args) {
        Path settings = Serving.settings(args);
        // On one CPU picocli took 0.6 s of 2.9 s to read this line: its classes are too old for Java's cache.
        return settings == null ? Commands.run(serving, terminal, args) : serve(settings);
    }

    private int serve(Path settings) {
        try {
            return serving.run(settings);
        } catch (Exception e) {
            return Failures.report(e, terminal.err());
        }
    }
}

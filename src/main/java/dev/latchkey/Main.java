package dev.latchkey;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// The command line. Exit status: 0 clean, 1 failed while running, 2 wrong usage or settings.
@Command(name = "latchkey", mixinStandardHelpOptions = true)
public final class Main implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters
    private String[] words = {};

    private Main() {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(System.out);
        return words.length == 0 ? 2 : 0;
    }
}

package dev.latchkey;

import dev.latchkey.cli.Cli;
import dev.latchkey.cli.LogChoice;

/// Where the program begins: gives the commands what they start, and the process its exit status.
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        LogChoice.make(args);
        System.exit(Cli.of(new Parts()).run(args));
    }
}

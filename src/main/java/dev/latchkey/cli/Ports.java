package dev.latchkey.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/// What a port option may be.
final class Ports {

    private Ports() {}

    static void check(CommandSpec spec, String option, int port) {
        if (port < 0 || port > 65_535) {
            throw new ParameterException(
                    spec.commandLine(), option + " " + port + " is not a port: write a number from 0 to 65535.");
        }
    }

    static int parse(CommandSpec spec, String what, String text) {
        if (!text.matches("[0-9]{1,5}")) {
            throw new ParameterException(
                    spec.commandLine(), what + " is " + text + ", but a port is a number from 0 to 65535.");
        }
        int port = Integer.parseInt(text);
        check(spec, what, port);
        return port;
    }
}

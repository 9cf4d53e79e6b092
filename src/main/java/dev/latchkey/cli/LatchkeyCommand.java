package dev.latchkey.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "latchkey",
        description = "An HTTP idempotency-key gateway: for one client and one key, at most one forward that could have"
                + " taken effect.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Start with:  latchkey demo",
            "",
            "Exit status: 0 clean, 1 failed while running, 2 wrong usage or settings. SIGTERM and SIGINT let the"
                    + " calls under way finish; a second signal stops at once.",
            "",
            "Environment: LATCHKEY_CONFIG names the settings file where --config is not given; LATCHKEY_LOG=json or"
                    + " text chooses how logs are written (text on a terminal, else JSON)."
        })
final class LatchkeyCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitStatus.WRONG_USAGE_OR_SETTINGS;
    }
}

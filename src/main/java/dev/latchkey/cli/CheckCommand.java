package dev.latchkey.cli;

import dev.latchkey.config.Settings;
import dev.latchkey.config.SettingsException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "check",
        description = "Reads the settings and reports every problem with its line. Starts nothing and connects to"
                + " nothing.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        footer = {"", "Example:  latchkey check --config latchkey.yaml"})
final class CheckCommand implements Callable<Integer> {

    private final SettingsOption.Reader settings;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SettingsOption option = new SettingsOption();

    CheckCommand(SettingsOption.Reader settings) {
        this.settings = settings;
    }

    @Override
    public Integer call() throws SettingsException {
        Settings checked = settings.read(option);
        PrintWriter out = spec.commandLine().getOut();
        out.println(settings.path(option) + ": no problems.");
        out.print(Summary.of(checked));
        out.flush();
        return ExitStatus.CLEAN;
    }
}

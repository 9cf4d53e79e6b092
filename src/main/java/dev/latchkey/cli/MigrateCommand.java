package dev.latchkey.cli;

import dev.latchkey.config.SettingsException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "migrate",
        description = "Brings the ledger's schema up to date and exits.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        footer = {"", "Example:  latchkey migrate --config latchkey.yaml"})
final class MigrateCommand implements Callable<Integer> {

    private final Program program;
    private final SettingsOption.Reader settings;

    @Spec
    private CommandSpec spec;

    @Mixin
    private SettingsOption option = new SettingsOption();

    MigrateCommand(Program program, SettingsOption.Reader settings) {
        this.program = program;
        this.settings = settings;
    }

    @Override
    public Integer call() throws SettingsException {
        program.migrate(settings.read(option));
        PrintWriter out = spec.commandLine().getOut();
        out.println("The ledger's schema is up to date.");
        out.flush();
        return ExitStatus.CLEAN;
    }
}

package dev.latchkey.cli;

import dev.latchkey.config.SettingsException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "serve",
        description = "Runs the gateway. The settings must name a ledger, so that no replica ever makes one of its own by"
                + " accident.",
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        footer = {"", "Example:  latchkey serve --config latchkey.yaml"})
final class ServeCommand implements Callable<Integer> {

    private final Serving serving;
    private final SettingsOption.Reader settings;

    @Mixin
    private SettingsOption option = new SettingsOption();

    ServeCommand(Serving serving, SettingsOption.Reader settings) {
        this.serving = serving;
        this.settings = settings;
    }

    @Override
    public Integer call() throws SettingsException {
        return serving.run(settings.path(option));
    }
}

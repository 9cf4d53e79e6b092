package dev.latchkey.cli;

import dev.latchkey.config.Settings;
import dev.latchkey.config.SettingsException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "serve",
        description = "Runs the gateway. The settings must name a ledger, so that no replica ever makes one of its own by"
                + " accident.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        footer = {"", "Example:  latchkey serve --config latchkey.yaml"})
final class ServeCommand implements Callable<Integer> {

    private final Program program;
    private final SettingsOption.Reader settings;
    private final Lifetime lifetime;

    @Mixin
    private SettingsOption option = new SettingsOption();

    ServeCommand(Program program, SettingsOption.Reader settings, Lifetime lifetime) {
        this.program = program;
        this.settings = settings;
        this.lifetime = lifetime;
    }

    @Override
    public Integer call() throws SettingsException {
        Settings checked = settings.read(option);
        RunningGateway gateway = program.gateway(checked);
        return lifetime.of(gateway, () -> Ready.log(checked, gateway));
    }
}

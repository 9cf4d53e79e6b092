package dev.latchkey.cli;

import dev.latchkey.config.Settings;
import dev.latchkey.config.SettingsException;
import dev.latchkey.config.SettingsLoader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `--config`, shared by the commands that need settings.
final class SettingsOption {

    static final String VARIABLE = "LATCHKEY_CONFIG";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The settings, in YAML. Default: the file that the environment variable " + VARIABLE
                    + " names.")
    private @Nullable Path file;

    /// The file that the option names, else the environment.
    static Optional<Path> named(@Nullable Path option, Function<String, @Nullable String> environment) {
        return Optional.ofNullable(option)
                .or(() -> Optional.ofNullable(environment.apply(VARIABLE)).filter(name -> !name.isBlank())
                        .map(Path::of));
    }

    /// Reads settings by the environment of this process, or of a test.
    record Reader(Function<String, @Nullable String> environment) {

        Settings read(SettingsOption option) throws SettingsException {
            return new SettingsLoader(environment).load(path(option));
        }

        Path path(SettingsOption option) {
            return named(option.file, environment).orElseThrow(() -> new ParameterException(
                    option.command.commandLine(),
                    "No settings file is named: give --config FILE, or set " + VARIABLE + "."));
        }
    }
}

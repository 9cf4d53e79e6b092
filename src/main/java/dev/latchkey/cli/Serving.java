package dev.latchkey.cli;

import dev.latchkey.config.Settings;
import dev.latchkey.config.SettingsException;
import dev.latchkey.config.SettingsLoader;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What `serve` does, once it is known which file has the settings. Knows nothing of picocli.
record Serving(Program program, Function<String, @Nullable String> environment, Lifetime lifetime) {

    /// The file of `serve --config FILE`, which the image and service managers type. Null for everything else, also where
    /// picocli could take FILE for something else: an option (-) or a file of arguments (@).
    static @Nullable Path settings(String... args) {
        if (args.length != 3 || !args[0].equals("serve") || !args[1].equals("--config") || args[2].isEmpty()
                || args[2].startsWith("-") || args[2].startsWith("@")) {
            return null;
        }
        try {
            return Path.of(args[2]);
        } catch (InvalidPathException _) {
            return null;
        }
    }

    /// Returns the exit status when the gateway has ended.
    int run(Path settings) throws SettingsException {
        Settings checked = new SettingsLoader(environment).load(settings);
        RunningGateway gateway = program.gateway(checked);
        return lifetime.of(gateway, () -> Ready.log(checked, gateway));
    }
}

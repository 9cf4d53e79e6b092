package dev.latchkey.cli;

import dev.latchkey.config.Listen;
import dev.latchkey.config.Settings;
import dev.latchkey.config.SettingsException;
import dev.latchkey.config.SettingsLoader;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Which gateway's operator API, and as whom: shared by the commands that use it.
final class OperatorOption {

    static final String TOKEN = "LATCHKEY_OPERATOR_TOKEN";

    private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "::");

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The management address. Default: that of the settings, else http://127.0.0.1:9090.")
    private @Nullable String url;

    @Option(names = "--config", paramLabel = "FILE", description = "Settings that name the management address.")
    private @Nullable Path file;

    @Option(names = "--json", description = "Print the JSON of the gateway, for programs.")
    private boolean json;

    boolean json() {
        return json;
    }

    /// By the environment of this process, or of a test.
    OperatorClient client(Function<String, @Nullable String> environment) throws SettingsException {
        return new OperatorClient(address(environment), environment.apply(TOKEN));
    }

    private URI address(Function<String, @Nullable String> environment) throws SettingsException {
        if (url != null) {
            return checked(url);
        }
        if (file == null) {
            return checked(Ready.url(Listen.managementByDefault(), Listen.managementByDefault().port()));
        }
        Settings settings = new SettingsLoader(environment).load(file);
        Listen at = settings.management();
        if (at.port() == 0) {
            throw wrong(
                    "The settings let the management port be any free one: give --url, as the gateway's log says it.");
        }
        return checked(
                Ready.url(EVERYWHERE.contains(at.host()) ? new Listen("127.0.0.1", at.port()) : at, at.port()));
    }

    private URI checked(String text) {
        try {
            URI address = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            if (Set.of("http", "https").contains(String.valueOf(address.getScheme())) && address.getHost() != null
                    && address.getRawQuery() == null && address.getRawUserInfo() == null) {
                return address;
            }
        } catch (java.net.URISyntaxException _) {
            // Said below.
        }
        throw wrong("--url must be a URL such as http://127.0.0.1:9090.");
    }

    ParameterException wrong(String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }
}

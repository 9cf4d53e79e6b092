package dev.latchkey.cli;

import dev.latchkey.config.Listen;
import dev.latchkey.config.SettingsException;
import dev.latchkey.config.SettingsLoader;
import dev.latchkey.config.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Which gateway's operator API, and as whom: shared by the commands that use it.
final class OperatorOption {

    static final String TOKEN = "LATCHKEY_OPERATOR_TOKEN";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The management address. Default: that of the settings, else http://127.0.0.1:9090.")
    private @Nullable String url;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings that name the management address. Default: the file that the environment variable "
                    + SettingsOption.VARIABLE + " names, if any.")
    private @Nullable Path file;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Certificates (PEM) that the management port's must chain to. Default: what Java trusts.")
    private @Nullable Path ca;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "A certificate (PEM) to show to a management port that asks for one; goes with --certificate-key.")
    private @Nullable Path certificate;

    @Option(names = "--certificate-key", paramLabel = "FILE", description = "The private key (PEM) of --certificate.")
    private @Nullable Path key;

    @Option(names = "--json", description = "Print the JSON of the gateway, for programs.")
    private boolean json;

    boolean json() {
        return json;
    }

    /// By the environment of this process, or of a test.
    OperatorClient client(Function<String, @Nullable String> environment) throws SettingsException {
        if ((certificate == null) != (key == null)) {
            throw wrong("--certificate and --certificate-key go together.");
        }
        return new OperatorClient(address(environment), environment.apply(TOKEN), tls());
    }

    /// Null: Java's own.
    private @Nullable SSLContext tls() {
        if (ca == null && certificate == null) {
            return null;
        }
        try {
            return TlsSettings.client(text("--ca", ca), text("--certificate", certificate),
                    text("--certificate-key", key));
        } catch (IllegalArgumentException e) {
            throw wrong("The files of --ca, --certificate and --certificate-key: " + e.getMessage() + ".");
        }
    }

    private @Nullable String text(String option, @Nullable Path path) {
        try {
            return path == null ? null : Files.readString(path);
        } catch (IOException _) {
            throw wrong(option + ": the file " + path + " cannot be read.");
        }
    }

    private URI address(Function<String, @Nullable String> environment) throws SettingsException {
        if (url != null) {
            return Address.parse(url).orElseThrow(() -> wrong("--url must be a URL such as http://127.0.0.1:9090."));
        }
        Optional<Path> settings = SettingsOption.named(file, environment);
        Listen at = settings.isEmpty()
                ? Listen.managementByDefault()
                : new SettingsLoader(environment).load(settings.get()).management();
        return Address.of(at).orElseThrow(() -> wrong(
                "The settings let the management port be any free one: give --url, as the gateway's log says it."));
    }

    ParameterException wrong(String sentence) {
        return new ParameterException(command.commandLine(), sentence);
    }
}

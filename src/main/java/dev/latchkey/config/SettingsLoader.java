package dev.latchkey.config;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/// Reads a settings file and reports every problem at once, each with its line. Safe for any number of threads.
public final class SettingsLoader {

    private final Function<String, @Nullable String> environment;

    /// Takes variables from anywhere.
    ///
    /// @param environment what `${NAME}` stands for; null: not set
    public SettingsLoader(Function<String, @Nullable String> environment) {
        this.environment = environment;
    }

    /// With the variables of this process.
    public static SettingsLoader ofThisProcess() {
        return new SettingsLoader(System::getenv);
    }

    public Settings load(Path file) throws SettingsException {
        String name = file.toString();
        try {
            byte[] bytes = Files.readAllBytes(file);
            return read(name, StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (NoSuchFileException e) {
            throw unusable(name, 0, "the file does not exist", e);
        } catch (CharacterCodingException e) {
            throw unusable(name, 0, "the file is not UTF-8; save it as UTF-8", e);
        } catch (IOException e) {
            throw unusable(name, 0, "the file cannot be read; is it a file that this user may read?", e);
        }
    }

    /// Reads settings that are at hand already.
    ///
    /// @param name what messages call the file
    /// @param yaml its text
    public Settings read(String name, String yaml) throws SettingsException {
        Node root = compose(name, yaml.startsWith("\uFEFF") ? yaml.substring(1) : yaml);
        if (root == null) {
            throw unusable(name, 1, "there are no settings; name a ledger and the routes", null);
        }
        SettingsFile file = new SettingsFile(name, root, environment);
        Settings settings = new SettingsReader(file).read();
        if (!file.problems().isEmpty()) {
            throw new SettingsException(file.problems());
        }
        return settings;
    }

    private static @Nullable Node compose(String name, String yaml) throws SettingsException {
        try {
            return new Yaml(new LoaderOptions()).compose(new StringReader(yaml));
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            throw unusable(name, mark == null ? 0 : mark.getLine() + 1, "this is not YAML: " + e.getProblem(), e);
        } catch (YAMLException e) {
            throw unusable(name, 0, "this is not YAML: " + e.getMessage(), e);
        }
    }

    private static SettingsException unusable(String name, int line, String text, @Nullable Exception cause) {
        SettingsException unusable = new SettingsException(List.of(new Problem(name, line, "", text)));
        unusable.initCause(cause);
        return unusable;
    }
}

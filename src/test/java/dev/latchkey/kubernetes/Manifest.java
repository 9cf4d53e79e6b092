package dev.latchkey.kubernetes;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// One Kubernetes object as it is written. A path such as `spec.template.spec.containers[0].ports` leads to a part of
/// it; where a path leads nowhere, the part is JSON null.
record Manifest(JsonObject json) {

    /// Every object in a text of one or several YAML documents; a member that comes twice is refused.
    static List<Manifest> read(String yaml) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<Manifest> manifests = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(options)).loadAll(yaml)) {
            manifests.add(new Manifest(new Gson().toJsonTree(document).getAsJsonObject()));
        }
        return manifests;
    }

    static List<Manifest> readAll(List<Path> files) {
        return files.stream().flatMap(file -> read(text(file)).stream()).toList();
    }

    static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String kind() {
        return at("kind").getAsString();
    }

    String name() {
        return at("metadata.name").getAsString();
    }

    JsonElement at(String path) {
        return at(json, path);
    }

    static JsonElement at(JsonElement from, String path) {
        JsonElement here = from;
        for (String step : path.replace("[", ".[").split("\\.")) {
            here = step.startsWith("[")
                    ? element(here, Integer.parseInt(step.substring(1, step.length() - 1)))
                    : member(here, step);
        }
        return here;
    }

    /// The elements of a list; none where there is no list.
    static Stream<JsonElement> each(JsonElement list) {
        return list instanceof JsonArray array ? array.asList().stream() : Stream.empty();
    }

    /// A single value as text; empty where there is none.
    static String text(JsonElement value) {
        return value.isJsonPrimitive() ? value.getAsString() : "";
    }

    /// A single value as a number.
    static int number(JsonElement value, int otherwise) {
        return value.isJsonPrimitive() ? value.getAsInt() : otherwise;
    }

    /// What a path leads to, as text.
    static String text(JsonElement from, String path) {
        return text(at(from, path));
    }

    private static JsonElement member(JsonElement object, String name) {
        return object instanceof JsonObject members
                ? Optional.ofNullable(members.get(name)).orElse(JsonNull.INSTANCE)
                : JsonNull.INSTANCE;
    }

    private static JsonElement element(JsonElement list, int index) {
        return list instanceof JsonArray array && index < array.size() ? array.get(index) : JsonNull.INSTANCE;
    }
}

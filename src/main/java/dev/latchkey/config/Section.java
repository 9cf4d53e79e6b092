package dev.latchkey.config;

import dev.latchkey.config.SecretText.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/// A group of settings in a file, asked for one by one. Scalars are taken as the text that was written: YAML's own
/// reading (`no` is false, `010` is 8) never applies. Whatever cannot be read is reported, and the caller goes on with
/// its stand-in. What was never asked for is unknown. For one thread.
final class Section {

    private final SettingsFile file;
    private final String path;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Integer> lines = new LinkedHashMap<>();
    private final TreeSet<String> asked = new TreeSet<>();

    private Section(SettingsFile file, String path) {
        this.file = file;
        this.path = path;
    }

    static Section of(SettingsFile file, String path, @Nullable Node node) {
        Section section = new Section(file, path);
        if (node instanceof MappingNode mapping) {
            mapping.getValue().forEach(section::add);
        } else if (node != null && !SettingsFile.isEmpty(node)) {
            file.problem(path,
                    "this is a " + SettingsFile.kind(node) + "; write a group of settings, each as name: value");
        }
        return section;
    }

    boolean has(String name) {
        asked.add(name);
        return values.containsKey(name);
    }

    /// Whether the setting is a single value, and not a list or a group.
    boolean isText(String name) {
        return value(name) instanceof ScalarNode;
    }

    boolean isList(String name) {
        return value(name) instanceof SequenceNode;
    }

    String text(String name, String standIn) {
        return read(name, standIn, text -> text);
    }

    @Nullable
    String textOrNull(String name) {
        return this.<@Nullable String>read(name, null, text -> text);
    }

    /// Something that must be there.
    <T> T required(String name, T standIn, Function<String, T> parse, String hint) {
        if (!has(name)) {
            file.problem(full(name), "this is missing; " + hint);
        }
        return read(name, standIn, parse);
    }

    <T extends @Nullable Object> T read(String name, T standIn, Function<String, ? extends T> parse) {
        Node node = value(name);
        return node == null ? standIn : scalar(full(name), node, standIn, parse);
    }

    <E extends Enum<E>> E choice(String name, E standIn) {
        return read(name, standIn, text -> {
            List<String> allowed = new ArrayList<>();
            for (E each : standIn.getDeclaringClass().getEnumConstants()) {
                String spelled = each.name().toLowerCase(Locale.ROOT).replace('_', '-');
                if (spelled.equals(text)) {
                    return each;
                }
                allowed.add(spelled);
            }
            throw new IllegalArgumentException(Quoted.of(text) + " is not one of: " + String.join(", ", allowed));
        });
    }

    /// Text that may change while the program runs.
    @Nullable
    SecretText secret(String name) {
        Node node = value(name);
        List<Part> parts = node == null ? null : file.expand(full(name), node);
        return parts == null ? null : SecretText.of(parts);
    }

    List<String> texts(String name) {
        return list(name, text -> text);
    }

    <T> List<T> list(String name, Function<String, T> parse) {
        List<T> read = new ArrayList<>();
        List<Node> items = items(name);
        for (int i = 0; i < items.size(); i++) {
            scalar(full(name) + "[" + i + "]", items.get(i), false, text -> read.add(parse.apply(text)));
        }
        return read;
    }

    Section section(String name) {
        return of(file, full(name), value(name));
    }

    List<Section> sections(String name) {
        List<Section> read = new ArrayList<>();
        for (Node item : items(name)) {
            read.add(of(file, full(name) + "[" + read.size() + "]", item));
        }
        return read;
    }

    /// Every name that the file gives here, for a group whose names are the user's own.
    List<String> names() {
        asked.addAll(values.keySet());
        return List.copyOf(values.keySet());
    }

    /// Makes this section's record, and says which of the section's settings are unknown.
    <T extends @Nullable Object> T checked(Supplier<T> maker, Supplier<T> standIn) {
        values.keySet().stream().filter(name -> !asked.contains(name)).forEach(this::unknown);
        return file.checked(path, maker, standIn);
    }

    /// Makes a part of it; empty name: the section itself.
    <T extends @Nullable Object> T part(String name, Supplier<T> maker, Supplier<T> standIn) {
        return file.checked(full(name), maker, standIn);
    }

    void problem(String name, String text) {
        file.problem(full(name), text);
    }

    private @Nullable Node value(String name) {
        asked.add(name);
        return values.get(name);
    }

    private String full(String name) {
        return SettingsFile.join(path, name);
    }

    private void add(NodeTuple member) {
        int line = SettingsFile.line(member.getKeyNode());
        if (!(member.getKeyNode() instanceof ScalarNode key)) {
            file.problem(line, path, "the name of a setting is a single word; write name: value");
            return;
        }
        Integer first = lines.putIfAbsent(key.getValue(), line);
        if (first == null) {
            values.put(key.getValue(), member.getValueNode());
        } else {
            file.problem(line, full(key.getValue()), "this is given twice, first on line " + first + "; remove one");
        }
    }

    private List<Node> items(String name) {
        Node node = value(name);
        if (node instanceof SequenceNode list) {
            return list.getValue();
        }
        if (node != null && !SettingsFile.isEmpty(node)) {
            file.problem(full(name), "this is a " + SettingsFile.kind(node) + "; write a list, as in [one, two]");
        }
        return List.of();
    }

    private <T extends @Nullable Object> T scalar(String setting, Node node, T standIn,
            Function<String, ? extends T> parse) {
        List<Part> parts = file.expand(setting, node);
        if (parts == null) {
            return standIn;
        }
        try {
            return parse.apply(SecretText.of(parts).get());
        } catch (IllegalArgumentException e) {
            file.problem(setting, String.valueOf(e.getMessage()));
            return standIn;
        }
    }

    private void unknown(String name) {
        String nearest = Nearest.to(name, asked);
        String hint = nearest == null ? "" : " did you mean " + nearest + "?";
        file.problem(
                lines.getOrDefault(name, 0),
                full(name),
                "there is no such setting;" + hint + " allowed here: " + String.join(", ", asked));
    }
}

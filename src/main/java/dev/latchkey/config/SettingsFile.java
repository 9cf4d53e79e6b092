package dev.latchkey.config;

import dev.latchkey.config.SecretText.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/// One settings file while it is read: where each setting stands, and what was found wrong so far. For one thread.
final class SettingsFile {

    private final String name;
    private final Node root;
    private final Function<String, @Nullable String> environment;
    private final List<Problem> problems = new ArrayList<>();
    private final Hidden hidden = new Hidden();

    SettingsFile(String name, Node root, Function<String, @Nullable String> environment) {
        this.name = name;
        this.root = root;
        this.environment = environment;
    }

    Section whole() {
        return Section.of(this, "", root);
    }

    /// Reports a problem at the line of the setting, or of what would hold it.
    void problem(String setting, String text) {
        problem(lineOf(setting), setting, text);
    }

    void problem(int line, String setting, String text) {
        problems.add(new Problem(name, line, setting, hidden.in(text)));
    }

    /// Makes a record whose constructor checks it; what that finds is reported, and the stand-in goes on in its place.
    <T extends @Nullable Object> T checked(String setting, Supplier<T> maker, Supplier<T> standIn) {
        try {
            return maker.get();
        } catch (BadSettings e) {
            e.faults().forEach(fault -> problem(join(setting, fault.name()), fault.text()));
            return standIn.get();
        }
    }

    /// The text with everything put in that it refers to; null where that was not possible, which is reported.
    @Nullable
    List<Part> expand(String setting, Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            problem(setting, "this is a " + kind(node) + "; write a single value");
            return null;
        }
        if (isEmpty(scalar)) {
            problem(setting, "there is no value; write one, or remove the line");
            return null;
        }
        Substitution substitution = new Substitution(environment, text -> problem(setting, text));
        List<Part> parts = substitution.expand(scalar.getValue());
        if (parts != null) {
            hidden.add(scalar.getValue(), SecretText.of(parts).get(), substitution.putIn());
        }
        return parts;
    }

    List<Problem> problems() {
        return problems.stream().sorted(Comparator.comparingInt(Problem::line)).toList();
    }

    static String join(String outer, String inner) {
        return outer + (outer.isEmpty() || inner.isEmpty() || inner.startsWith("[") ? "" : ".") + inner;
    }

    static boolean isEmpty(Node node) {
        return node instanceof ScalarNode scalar
                && scalar.isPlain()
                && List.of("", "~", "null").contains(scalar.getValue());
    }

    static String kind(Node node) {
        return switch (node) {
            case MappingNode mapping -> "group of settings";
            case SequenceNode sequence -> "list";
            default -> "single value";
        };
    }

    static int line(Node node) {
        return node.getStartMark().getLine() + 1;
    }

    /// The line of the innermost thing on the way to the setting that the file holds.
    private int lineOf(String setting) {
        Node at = root;
        int line = line(root);
        for (String step : setting.replace("[", ".[").split("\\.", -1)) {
            Node next = null;
            if (at instanceof MappingNode mapping) {
                for (NodeTuple member : mapping.getValue()) {
                    if (next == null && member.getKeyNode() instanceof ScalarNode key && key.getValue().equals(step)) {
                        line = line(key);
                        next = member.getValueNode();
                    }
                }
            } else if (at instanceof SequenceNode list && step.matches("\\[\\d+]")) {
                next = list.getValue().get(Integer.parseInt(step.substring(1, step.length() - 1)));
                line = line(next);
            }
            if (next == null) {
                return line;
            }
            at = next;
        }
        return line;
    }
}

package dev.latchkey.config;

import java.util.ArrayList;
import java.util.List;

/// What the environment and files put into the settings, which no message may show: a secret may stand where something
/// else belongs. For one thread.
final class Hidden {

    /// Shorter texts are no secrets, and are found in every other word.
    private static final int SHORTEST = 6;

    private record Shown(String text, String instead) {}

    private final List<Shown> all = new ArrayList<>();

    /// @param written as in the file
    /// @param text what it means
    /// @param putIn parts of it that the file only refers to
    void add(String written, String text, List<String> putIn) {
        if (putIn.isEmpty()) {
            return;
        }
        all.add(new Shown(Quoted.of(text), Quoted.of(written)));
        putIn.stream().filter(part -> part.length() >= SHORTEST).forEach(part -> all.add(new Shown(part, "${…}")));
    }

    /// The message with what was written in place of what it means.
    String in(String message) {
        String shown = message;
        for (Shown each : all) {
            shown = shown.replace(each.text(), each.instead());
        }
        return shown;
    }
}

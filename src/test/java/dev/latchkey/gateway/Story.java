package dev.latchkey.gateway;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What happened in a run, line by line with its time, and what of it was wrong.
final class Story {

    private final Stage stage;
    private final List<String> lines = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    Story(Stage stage) {
        this.stage = stage;
    }

    void note(String what) {
        Duration at = stage.passed();
        lines.add("%2d:%02d.%03d  %s".formatted(at.toMinutes(), at.toSecondsPart(), at.toMillisPart(), what));
    }

    void wrong(String what) {
        wrong.add(what);
        note("WRONG: " + what);
    }

    List<String> wrongs() {
        return List.copyOf(wrong);
    }

    @Override
    public String toString() {
        return String.join("\n", lines);
    }
}

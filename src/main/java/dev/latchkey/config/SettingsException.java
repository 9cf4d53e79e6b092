package dev.latchkey.config;

import java.util.List;
import java.util.stream.Collectors;

/// Thrown for a settings file that cannot be used, with every problem in the order of its lines.
public final class SettingsException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    SettingsException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    public List<Problem> problems() {
        return problems;
    }
}

package dev.latchkey.model;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A way to something that is wrong.
///
/// @param steps one after the other
/// @param wrong what is
public record Trace(List<Model.Step> steps, String wrong) {

    /// One step, for those who carry it out for real.
    ///
    /// @param text in words; what stands before the colon names the move
    /// @param call whose; negative: nobody's
    public record Move(String text, int call) {

        /// The move's name.
        public String name() {
            return text.substring(0, text.indexOf(':'));
        }
    }

    private static final Map<Guard, Trace> FOUND = new ConcurrentHashMap<>();

    /// A shortest way to what goes wrong without a guard: looked for once, for it may take seconds.
    ///
    /// @throws IllegalStateException when nothing goes wrong
    public static Trace without(Guard guard) {
        return FOUND.computeIfAbsent(guard, missing -> {
            Trace trace = new Explorer(missing.scenario(), missing).explore(missing.wrong()).trace();
            if (trace == null) {
                throw new IllegalStateException("nothing goes wrong: " + missing.without());
            }
            return trace;
        });
    }

    /// What is done, step by step.
    public List<Move> moves() {
        return steps.stream().map(step -> new Move(step.what().get(), step.call())).toList();
    }

    /// For people: a line a step.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < steps.size(); i++) {
            text.append("  %2d. %s%n".formatted(i + 1, steps.get(i).what().get()));
        }
        return text.append("  => ").append(wrong).append(System.lineSeparator()).toString();
    }
}

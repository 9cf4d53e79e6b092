package dev.latchkey.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// What several sides did, round by round. In each round every side has its turn, so that what the machine does beside it
/// befalls all of them; the next round takes them the other way about.
final class Looks {

    private final Bench bench;
    private final String part;
    private final Map<String, List<Look>> looks = new HashMap<>();

    Looks(Bench bench, String part) {
        this.bench = bench;
        this.part = part;
    }

    /// One round of these sides.
    void round(int number, int callers, List<Side> sides) throws Exception {
        StringBuilder line = new StringBuilder();
        for (Side side : Turns.of(number, sides)) {
            Look look = side.look(bench, callers);
            looks.computeIfAbsent(key(side.name(), callers), it -> new ArrayList<>()).add(look);
            line.append("  ").append(side.name()).append(' ').append(Figure.text(look.rate()));
        }
        bench.progress().say("%s: round %d of %d, callers %d, calls/s:%s"
                .formatted(part, number + 1, bench.rounds(), callers, line));
    }

    boolean has(String side, int callers) {
        return looks.containsKey(key(side, callers));
    }

    /// Of each round.
    List<Double> of(String side, int callers, ToDoubleFunction<Look> what) {
        List<Look> list = looks.get(key(side, callers));
        if (list == null) {
            throw new IllegalArgumentException(side + " with " + callers + " callers was not looked at");
        }
        return list.stream().map(what::applyAsDouble).toList();
    }

    /// Of each round: what one side did, divided by what the other did.
    List<Double> ratio(String side, String by, int callers, ToDoubleFunction<Look> what) {
        return Figure.ratios(of(side, callers, what), of(by, callers, what));
    }

    private static String key(String side, int callers) {
        return side + " " + callers;
    }
}

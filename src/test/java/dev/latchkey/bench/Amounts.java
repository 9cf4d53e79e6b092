package dev.latchkey.bench;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// What was measured without an aim, as tables: a figure named `batched, 32 callers: calls` stands in the row and the column
/// that its name says, one without a colon has a line of its own.
final class Amounts {

    private static final String COLON = ": ";

    private Amounts() {}

    /// Empty where there is none.
    static String markdown(String part, List<Figure> figures) {
        if (figures.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("\n### " + part + "\n");
        List<Figure> lines = figures.stream().filter(it -> !isCell(it)).toList();
        List<Figure> cells = figures.stream().filter(Amounts::isCell).toList();
        if (!lines.isEmpty()) {
            text.append("\n| Measure | Median | Least – most | Notes |\n|---|--:|--:|---|\n");
            lines.forEach(it -> text.append("| %s | %s | %s | %s |%n"
                    .formatted(it.name(), it.shown(it.median()), it.spread(), it.note())));
        }
        if (!cells.isEmpty()) {
            text.append(grid(cells));
        }
        return text.toString();
    }

    private static boolean isCell(Figure figure) {
        return figure.name().contains(COLON);
    }

    private static String row(Figure figure) {
        return figure.name().substring(0, figure.name().lastIndexOf(COLON));
    }

    private static String column(Figure figure) {
        String name = figure.name().substring(figure.name().lastIndexOf(COLON) + COLON.length());
        return figure.unit().isEmpty() ? name : name + ", " + figure.unit();
    }

    private static String grid(List<Figure> cells) {
        Set<String> columns = cells.stream().map(Amounts::column).collect(Collectors.toCollection(LinkedHashSet::new));
        Map<String, Map<String, Figure>> rows = new LinkedHashMap<>();
        cells.forEach(it -> rows.computeIfAbsent(row(it), row -> new LinkedHashMap<>()).put(column(it), it));
        StringBuilder text = new StringBuilder("\n| Median (least – most) | ").append(String.join(" | ", columns))
                .append(" |\n|---|").append("--:|".repeat(columns.size())).append('\n');
        rows.forEach((row, found) -> {
            text.append("| ").append(row).append(" |");
            columns.forEach(column -> text.append(cell(found.get(column))));
            text.append('\n');
        });
        return text.toString();
    }

    private static String cell(@Nullable Figure it) {
        return it == null ? "  |" : " %s (%s) |".formatted(Figure.text(it.median()), it.spread());
    }
}

package dev.latchkey.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What was measured, for people (`report.md`) and for programs (`report.json`). Not for several threads.
final class Report {

    private final boolean quick;
    private final Map<String, String> machine;
    private final Map<String, List<Figure>> parts = new LinkedHashMap<>();
    private final Map<String, String> broken = new LinkedHashMap<>();

    /// @param machine what it was measured on, by name
    Report(boolean quick, Map<String, String> machine) {
        this.quick = quick;
        this.machine = new LinkedHashMap<>(machine);
    }

    void add(String part, List<Figure> figures) {
        parts.put(part, figures);
    }

    /// A part that was not measured, and why.
    void broke(String part, String why) {
        broken.put(part, why.lines().findFirst().orElse(""));
    }

    boolean isBroken() {
        return !broken.isEmpty();
    }

    /// A further fact about the machine or the run.
    void tell(String name, String value) {
        machine.put(name, value);
    }

    /// What fails the benchmark.
    List<Figure> failures() {
        return parts.values().stream().flatMap(List::stream).filter(it -> it.fails(quick)).toList();
    }

    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("report.md"), markdown());
        new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT)
                .writeValue(folder.resolve("report.json").toFile(), json());
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        if (quick) {
            text.append("A quick run: short rounds, figures to look at and not to quote.\n\n");
        }
        text.append("| Machine | |\n|---|---|\n");
        machine.forEach((name, value) -> text.append("| ").append(name).append(" | ").append(value).append(" |\n"));
        parts.forEach((part, figures) -> {
            text.append("\n### ").append(part).append("\n\n")
                    .append("| Measure | Median | Least – most | Aim | | Notes |\n|---|--:|--:|--:|---|---|\n");
            figures.forEach(figure -> text.append(line(figure)));
        });
        broken.forEach((part, why) -> text.append("\n**").append(part).append(" broke**: ").append(why).append('\n'));
        return text.toString();
    }

    private String line(Figure it) {
        Aim aim = it.aim();
        return "| %s | %s | %s – %s | %s | %s | %s |%n".formatted(
                it.name(), it.shown(it.median()), Figure.text(it.least()), Figure.text(it.most()),
                aim == null ? "" : aim, aim == null ? "" : verdict(it, aim), it.note());
    }

    private String verdict(Figure figure, Aim aim) {
        if (figure.fails(quick)) {
            return "**failed**";
        }
        return aim.met(figure.median()) ? "met" : "missed";
    }

    private Map<String, Object> json() {
        List<Map<String, Object>> figures = new ArrayList<>();
        parts.forEach((part, list) -> list.forEach(figure -> figures.add(json(part, figure))));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("quick", quick);
        all.put("machine", machine);
        all.put("figures", figures);
        all.put("broken", broken);
        return all;
    }

    private Map<String, Object> json(String part, Figure it) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("part", part);
        row.put("name", it.name());
        row.put("unit", it.unit());
        row.put("rounds", it.rounds());
        row.put("median", it.median());
        row.put("least", it.least());
        row.put("most", it.most());
        row.put("lower_quartile", it.quantile(0.25));
        row.put("upper_quartile", it.quantile(0.75));
        Aim aim = it.aim();
        if (aim != null) {
            row.put("aim", Map.of(aim.atLeast() ? "at_least" : "at_most", aim.value()));
            row.put("fails_beyond", aim.check());
            row.put("met", aim.met(it.median()));
            row.put("failed", it.fails(quick));
        }
        row.put("note", it.note());
        return row;
    }
}

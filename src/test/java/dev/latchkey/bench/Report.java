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
import java.util.Objects;

/// What was measured, for people (`report.md`, whose tables are those of the page about it) and for programs
/// (`report.json`). Not for several threads.
final class Report {

    private static final String QUICK =
            """
                    A quick run: three short rounds, figures to look at and not to quote. Left out: pgbench, 8 and 128 callers, the \
                    slow disk, replays from the ledger, most bodies of the micro-benchmarks; 200,000 entries stand for \
                    5,000,000. A check fails only by a factor of two.

                    """;

    private final boolean quick;
    private final Map<String, String> machine;
    private final Map<String, List<Figure>> parts = new LinkedHashMap<>();
    private final Map<String, String> broken = new LinkedHashMap<>();
    private final List<String> without = new ArrayList<>();
    private List<String> lacking = List.of();

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

    /// Parts that are not asked for.
    void without(List<String> names) {
        without.addAll(names);
    }

    /// Parts that are still to be measured: where it ends before them, it says so at its top.
    void lacks(List<String> names) {
        lacking = List.copyOf(names);
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

    private List<String> missing() {
        List<String> missing = new ArrayList<>(without);
        missing.addAll(lacking);
        return missing;
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        if (!missing().isEmpty()) {
            text.append("**Partial**: without ").append(String.join(", ", missing())).append(".\n\n");
        }
        if (quick) {
            text.append(QUICK);
        }
        text.append("| Machine | |\n|---|---|\n");
        machine.forEach((name, value) -> text.append("| ").append(name).append(" | ").append(value).append(" |\n"));
        List<Figure> aimed =
                parts.values().stream().flatMap(List::stream).filter(it -> it.aim() != null).toList();
        if (!aimed.isEmpty()) {
            text.append("\n### Against the aims\n\n| Measure | Median | Least – most | Aim | Check | | Notes |\n")
                    .append("|---|--:|--:|--:|--:|---|---|\n");
            aimed.forEach(it -> text.append(line(it)));
        }
        parts.forEach((part, figures) -> text.append(Amounts.markdown(
                part, figures.stream().filter(it -> it.aim() == null).toList())));
        broken.forEach((part, why) -> text.append("\n**").append(part).append(" broke**: ").append(why).append('\n'));
        return text.toString();
    }

    private String line(Figure it) {
        Aim aim = Objects.requireNonNull(it.aim());
        return "| %s | %s | %s | %s | %s | %s | %s |%n".formatted(
                it.name(), it.shown(it.median()), it.spread(), aim.shownAim(), aim.shownCheck(),
                aim.verdict(it.median(), quick), it.note());
    }

    private Map<String, Object> json() {
        List<Map<String, Object>> figures = new ArrayList<>();
        parts.forEach((part, list) -> list.forEach(figure -> figures.add(json(part, figure))));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("quick", quick);
        all.put("without", missing());
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
            row.put("bounds_are", aim.atLeast() ? "at_least" : "at_most");
            row.put("aim", aim.value());
            row.put("check", aim.check());
            row.put("verdict", aim.verdict(it.median(), quick).replace("*", ""));
        }
        row.put("note", it.note());
        return row;
    }
}

package dev.latchkey.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/// Goes through parts, one after the other, until the end or until somebody ends it. Not for several threads.
final class Course {

    private final Bench bench;
    private final Report report;
    private final Sink sink;
    private final BooleanSupplier ended;
    private final List<String> twice = new ArrayList<>();

    /// Where the report goes.
    interface Sink {
        void write(Report report) throws IOException;
    }

    /// @param sink gets the report after each part: a run that is ended leaves what it has
    /// @param ended whether everything is being ended; what breaks then says nothing
    Course(Bench bench, Report report, Sink sink, BooleanSupplier ended) {
        this.bench = bench;
        this.report = report;
        this.sink = sink;
        this.ended = ended;
    }

    /// Measures these.
    ///
    /// @return whether it came to its end
    boolean run(List<Part> parts) throws IOException {
        List<String> left = new ArrayList<>(parts.stream().map(Part::name).toList());
        Map<String, Long> seconds = new LinkedHashMap<>();
        for (Part part : parts) {
            if (ended.getAsBoolean()) {
                return false;
            }
            bench.progress().say(part.name() + " …");
            long start = System.nanoTime();
            if (!measure(part)) {
                return false;
            }
            seconds.put(part.name(), (System.nanoTime() - start) / 1_000_000_000);
            left.remove(part.name());
            report.lacks(left);
            report.tell("Took", took(seconds));
            sink.write(report);
        }
        return true;
    }

    private static String took(Map<String, Long> seconds) {
        return seconds.values().stream().mapToLong(it -> it).sum() + " s: "
                + seconds.entrySet().stream().map(it -> it.getKey() + " " + it.getValue())
                        .collect(Collectors.joining(", "));
    }

    /// One that breaks fails the benchmark, at its end: the others are measured nevertheless.
    private boolean measure(Part part) {
        try {
            report.add(part.name(), twiceIfNeeded(part));
        } catch (Exception e) {
            if (ended.getAsBoolean()) {
                bench.progress().say("ended in " + part.name());
                return false;
            }
            bench.progress().say(part.name() + " BROKE: " + e);
            e.printStackTrace();
            report.broke(part.name(), String.valueOf(e.getMessage()));
        }
        return true;
    }

    /// A check that fails may have met a machine that was busy: the rounds run once again, and all of them are judged.
    private List<Figure> twiceIfNeeded(Part part) throws Exception {
        List<Figure> once = part.run(bench);
        List<String> failed = once.stream().filter(it -> it.fails(bench.quick())).map(Figure::name).toList();
        if (bench.quick() || failed.isEmpty()) {
            return once;
        }
        bench.progress().say("%s once again, for %s failed; the median of all rounds decides"
                .formatted(part.name(), String.join("; ", failed)));
        twice.add(part.name() + ", for a check failed: " + String.join("; ", failed));
        report.tell("Run twice", String.join("; ", twice));
        Map<String, Figure> again =
                part.run(bench).stream().collect(Collectors.toMap(Figure::name, it -> it, (one, other) -> one));
        return once.stream().map(it -> again.containsKey(it.name()) ? it.with(again.get(it.name())) : it).toList();
    }
}

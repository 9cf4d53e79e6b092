package dev.latchkey.bench;

import dev.latchkey.bench.table.TablePart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/// `mvn -Pbench verify`. Properties: `bench.quick` (two short rounds), `bench.parts` (names, apart by commas),
/// `bench.data` (a folder on the disk that PostgreSQL shall use; else the build's).
public final class Benchmark {

    private static final Path FOLDER = Path.of("target", "bench");

    private Benchmark() {}

    /// In the order in which they run.
    private static List<Part> parts(Rig rig) {
        return List.of(new FirstCalls(rig), new SlowDisk(rig), new Replays(rig), new Latencies(rig), new TablePart(),
                new Micro());
    }

    /// Measures, writes the report, and ends with 1 where a check fails or something broke.
    public static void main(String[] arguments) throws Exception {
        endWithParent();
        int status = 1;
        try (Things things = Things.opened()) {
            status = run(things);
        } finally {
            System.out.flush();
        }
        System.exit(status);
    }

    private static int run(Things things) throws Exception {
        boolean quick = isOn("bench.quick");
        Progress progress = new Progress();
        Files.createDirectories(FOLDER);
        String loadBefore = Machine.load();
        progress.say("starting PostgreSQL");
        BenchServer server = things.keep(BenchServer.start(FOLDER, data()));
        Bench bench = new Bench(quick, FOLDER, progress, () -> server);
        Report report = new Report(quick, Machine.describe(server.version()));
        report.tell("Load before", loadBefore);
        Set<String> chosen = chosen();
        long start = System.nanoTime();
        for (Part part : parts(new Rig(things))) {
            if (chosen.isEmpty() || chosen.contains(part.name())) {
                progress.say(part.name() + " …");
                measure(part, bench, report);
                report.write(FOLDER);
            }
        }
        report.tell("Took", (System.nanoTime() - start) / 1_000_000_000 + " s");
        return end(report);
    }

    /// One that breaks fails the benchmark, at its end: the others are measured nevertheless.
    private static void measure(Part part, Bench bench, Report report) {
        try {
            report.add(part.name(), part.run(bench));
        } catch (Exception e) {
            bench.progress().say(part.name() + " BROKE: " + e);
            e.printStackTrace();
            report.broke(part.name(), String.valueOf(e.getMessage()));
        }
    }

    private static int end(Report report) throws IOException {
        report.write(FOLDER);
        System.out.println();
        System.out.println(report.markdown());
        List<Figure> failures = report.failures();
        failures.forEach(it -> System.out.println(
                "FAILED in every round: " + it.name() + " is " + it.shown(it.median()) + ", the aim is " + it.aim()));
        System.out.println(FOLDER.resolve("report.md"));
        return failures.isEmpty() && !report.isBroken() ? 0 : 1;
    }

    private static Path data() {
        String folder = System.getProperty("bench.data", "");
        return (folder.isEmpty() ? FOLDER : Path.of(folder)).resolve("postgres");
    }

    /// Given without a value, or with `true`.
    private static boolean isOn(String property) {
        String value = System.getProperty(property, "false");
        return value.isEmpty() || Boolean.parseBoolean(value);
    }

    private static Set<String> chosen() {
        String names = System.getProperty("bench.parts", "");
        return names.isBlank() ? Set.of() : Set.of(names.split(","));
    }

    /// A Maven that is ended by a signal leaves what it started running.
    private static void endWithParent() {
        ProcessHandle.current().parent()
                .ifPresent(parent -> Thread.ofPlatform().daemon().start(() -> {
                    parent.onExit().join();
                    System.exit(1);
                }));
    }
}

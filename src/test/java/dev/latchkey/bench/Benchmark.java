package dev.latchkey.bench;

import dev.latchkey.bench.table.BytesPart;
import dev.latchkey.bench.table.TablePart;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// `mvn -Pbench verify`. Properties: `bench.quick` (three short rounds), `bench.parts` (names, apart by commas),
/// `bench.data` (a folder on the disk that PostgreSQL shall use; else the build's).
public final class Benchmark {

    private static final Path FOLDER = Path.of("target", "bench");
    /// So much later a signal that ended others is known here too.
    private static final Duration SIGNAL = Duration.ofMillis(200);

    private Benchmark() {}

    /// In the order in which they run.
    private static List<Part> parts(Rig rig) {
        return List.of(new FirstCalls(rig), new SlowDisk(rig), new Replays(rig), new Latencies(rig),
                new BytesPart(), new TablePart(), new Micro());
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
        Bench bench = Bench.of(quick, FOLDER, progress, () -> server);
        Report report = new Report(quick, Machine.describe(server.version(), data()));
        report.tell("Load before", loadBefore);
        List<Part> all = parts(new Rig(things));
        Set<String> chosen = chosen();
        List<Part> parts = all.stream()
                .filter(it -> chosen.isEmpty() ? !(quick && it instanceof SlowDisk) : chosen.contains(it.name()))
                .toList();
        report.without(all.stream().filter(it -> !parts.contains(it)).map(Part::name).toList());
        boolean whole = new Course(bench, report, it -> it.write(FOLDER), () -> things.isEnding(SIGNAL)).run(parts);
        return whole ? end(report) : 1;
    }

    private static int end(Report report) {
        System.out.println();
        System.out.println(report.markdown());
        List<Figure> failures = report.failures();
        failures.forEach(it -> System.out.println(
                "FAILED: the median of " + it.name() + " is " + it.shown(it.median()) + ", the bound "
                        + Objects.requireNonNull(it.aim()).shownCheck()));
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

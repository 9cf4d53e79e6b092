package dev.latchkey.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/// Runs the micro-benchmarks: what single pieces of our own code cost, each in a JVM of its own.
///
/// JMH makes code from its annotations. That is made here and not in the build: it is nobody's to read and would have to
/// keep our rules.
final class Micro implements Part {

    /// Short, for what it warms up for is long: the largest body is read five times in it.
    private static final String LOOK = "80ms";
    private static final Path SOURCES = Path.of("src/test/java/dev/latchkey/bench/micro");

    @Override
    public String name() {
        return "micro";
    }

    @Override
    public List<Figure> run(Bench bench) throws Exception {
        Path classes = bench.folder().resolve("jmh");
        compile(classes);
        Path results = bench.folder().resolve("jmh.json");
        Files.deleteIfExists(results);
        bench.progress().say("micro: what it says goes to " + bench.folder().resolve("jmh.log"));
        String warmUps = bench.quick() ? "3" : "5";
        String warmUp = bench.quick() ? "100ms" : "200ms";
        List<String> program = List.of(
                "-Djmh.ignoreLock=true", "-classpath",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                "org.openjdk.jmh.Main");
        List<String> options = new ArrayList<>(List.of(
                "-f", "1", "-wi", warmUps, "-w", warmUp, "-i", String.valueOf(bench.rounds()), "-r", LOOK, "-bm",
                "avgt",
                "-tu", "us", "-prof", "gc", "-foe", "true", "-rf", "json", "-rff", results.toString()));
        if (bench.quick()) {
            options.addAll(List.of("-p", "body=2KiB,members-64KiB"));
        }
        try (Jvm jmh = Jvm.start(bench.folder(), "jmh", program, options.toArray(String[]::new))) {
            jmh.awaitSuccess();
        }
        return figures(new ObjectMapper().readTree(results.toFile()));
    }

    private static void compile(Path classes) throws IOException {
        Files.createDirectories(classes);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> arguments = new ArrayList<>(List.of(
                "-nowarn", "-proc:full", "-processor", "org.openjdk.jmh.generators.BenchmarkProcessor", "-classpath",
                System.getProperty("java.class.path"), "-d", classes.toString()));
        try (Stream<Path> sources = Files.list(SOURCES)) {
            sources.map(Path::toString).forEach(arguments::add);
        }
        if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("the micro-benchmarks do not compile");
        }
    }

    private static List<Figure> figures(JsonNode results) {
        List<Figure> figures = new ArrayList<>();
        for (JsonNode result : results) {
            String full = result.path("benchmark").asText();
            String parameters = parameters(result.path("params"));
            List<Double> rounds = new ArrayList<>();
            result.path("primaryMetric").path("rawData").path(0).forEach(it -> rounds.add(it.asDouble()));
            List<Double> allocated = new ArrayList<>();
            result.path("secondaryMetrics").path("gc.alloc.rate.norm").path("rawData").path(0)
                    .forEach(it -> allocated.add(it.asDouble()));
            String name = full.substring(full.lastIndexOf('.') + 1) + parameters;
            figures.add(Figure.of(name + ": time", "µs", rounds));
            figures.add(Figure.of(name + ": allocated", "B", allocated));
        }
        return figures;
    }

    private static String parameters(JsonNode values) {
        List<String> texts = new ArrayList<>();
        for (Iterator<JsonNode> it = values.elements(); it.hasNext();) {
            texts.add(it.next().asText());
        }
        return texts.stream().map(text -> ", " + text).collect(Collectors.joining());
    }
}

package dev.latchkey.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Other people's programs: whether the machine has them, and a run of one to its end.
final class Tool {

    private static final int PATIENCE_SECONDS = 150;
    private static final Path HERE = Path.of("").toAbsolutePath();

    private Tool() {}

    /// How a program ended.
    ///
    /// @param output what it printed, errors among it
    record Ran(int exit, String output) {}

    /// The Java of the tests.
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /// Skips the test where the program is not on the path.
    ///
    /// @param remedy what to install
    static String needed(String program, String remedy) {
        boolean there = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
        assumeTrue(there, () -> "SKIPPED: no " + program + " on the path; install " + remedy);
        return program;
    }

    /// A Python that has these modules, Debian's first; skips the test where there is none.
    ///
    /// @param remedy what to install
    static String python(String modules, String remedy) {
        for (String candidate : List.of("/usr/bin/python3", "python3")) {
            if (runs(candidate, "-c", "import " + modules)) {
                return candidate;
            }
        }
        assumeTrue(false, () -> "SKIPPED: no python3 can import " + modules + "; install " + remedy);
        throw new IllegalStateException("skipped");
    }

    /// Runs it to its end.
    ///
    /// @param folder where
    /// @param environment what is added to the environment
    static Ran run(Path folder, Map<String, String> environment, List<String> command) {
        Path printed = null;
        try {
            printed = Files.createTempFile("latchkey-tool", ".txt");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(HERE.resolve(folder).toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile());
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            String output = Files.readString(printed, StandardCharsets.UTF_8);
            return new Ran(ended ? process.exitValue() : -1, ended ? output : "not over in time: " + output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            delete(printed);
        }
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean runs(String... command) {
        try {
            return run(HERE, Map.of(), List.of(command)).exit() == 0;
        } catch (UncheckedIOException _) {
            return false;
        }
    }
}

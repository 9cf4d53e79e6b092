package dev.latchkey.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The reader's shell: runs one command after the other in one folder.
///
/// @param folder where it stands
/// @param environment what is set in it besides the tests' own environment
record Shell(Path folder, Map<String, String> environment) {

    private static final int PATIENCE_SECONDS = 240;
    private static final int KILLED = 128 + 9;

    /// What a command came to.
    ///
    /// @param printed all it printed, and `Killed` where it was, as an interactive shell says
    record Ran(int status, String printed) {}

    Shell with(String name, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(name, value);
        return new Shell(folder, Map.copyOf(more));
    }

    /// Whether there is such a program.
    static boolean has(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    /// Starts it and does not wait.
    Process start(String command) {
        try {
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(folder.toFile());
            builder.environment().putAll(environment);
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Ran run(String command) {
        return run(command, "");
    }

    /// @param input what the command reads
    Ran run(String command, String input) {
        try {
            Path printed = Files.createTempFile(folder, "printed", "");
            Path read = Files.writeString(Files.createTempFile(folder, "read", ""), input);
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", command).directory(folder.toFile())
                    .redirectErrorStream(true).redirectInput(read.toFile()).redirectOutput(printed.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("still running: " + command + "\n" + Files.readString(printed));
            }
            String text = Files.readString(printed, StandardCharsets.UTF_8);
            Files.delete(printed);
            Files.delete(read);
            return new Ran(process.exitValue(), process.exitValue() == KILLED ? text + "Killed\n" : text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Writes a file that a command of the page reads.
    void save(String name, String text) {
        try {
            Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs it, which must end well.
    ///
    /// @return what it printed, without white space at its ends and at those of its lines
    String expect(String command) {
        Ran ran = run(command);
        assertThat(ran.status()).as(command + "\n" + ran.printed()).isZero();
        return trimmed(ran.printed());
    }

    static String trimmed(String text) {
        return text.strip().lines().map(String::stripTrailing).collect(Collectors.joining("\n"));
    }
}

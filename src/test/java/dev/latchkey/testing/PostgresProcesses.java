package dev.latchkey.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// The processes of one PostgreSQL, whoever started it, and what can befall them. Not for several threads.
///
/// @param data its folder
public record PostgresProcesses(Path data) {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// SIGKILL of all of them at once, as a machine dies.
    public void kill() {
        freeze();
        List<ProcessHandle> all = all();
        all.forEach(ProcessHandle::destroyForcibly);
        await().atMost(PATIENCE).until(() -> all.stream().noneMatch(PostgresProcesses::isRunning));
    }

    /// SIGSTOP of all of them.
    void freeze() {
        signal("-STOP", List.of(postmaster()));
        signal("-STOP", all());
    }

    /// SIGCONT of all of them.
    void thaw() {
        signal("-CONT", all());
    }

    /// Before a start: a process that was killed and that nobody has asked after keeps its id, and PostgreSQL takes it for
    /// alive.
    public void forget() {
        try {
            Files.deleteIfExists(file());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether its file says that it runs.
    public boolean areThere() {
        return Files.exists(file());
    }

    private Path file() {
        return data.resolve("postmaster.pid");
    }

    private ProcessHandle postmaster() {
        try (Stream<String> lines = Files.lines(file())) {
            return ProcessHandle.of(Long.parseLong(lines.findFirst().orElseThrow().strip())).orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<ProcessHandle> all() {
        ProcessHandle postmaster = postmaster();
        List<ProcessHandle> all = new ArrayList<>(List.of(postmaster));
        all.addAll(postmaster.descendants().toList());
        return all;
    }

    /// One that has ended and that nobody has asked after has an id still, and no program.
    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }

    private static void signal(String signal, List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("kill", signal));
        processes.forEach(process -> command.add(String.valueOf(process.pid())));
        try {
            // One of them may have ended by itself meanwhile: that is no failure.
            new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

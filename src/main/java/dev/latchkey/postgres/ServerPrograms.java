package dev.latchkey.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs the embedded server's programs. PostgreSQL refuses to run as root; for root they run in a user namespace of their
/// own, where nobody is root.
final class ServerPrograms {

    private static final int PATIENCE_SECONDS = 60;

    private final Path home;
    private final boolean namespace;

    /// @param home the folder that holds `bin`
    ServerPrograms(Path home) throws IOException {
        this.home = home;
        this.namespace = runsAsRoot();
        if (namespace && run(List.of("unshare", "-U", "true")).status() != 0) {
            throw new LedgerUnfit(
                    "PostgreSQL does not run as root, and this machine does not allow user namespaces: start"
                            + " Latchkey as another user, or set ledger.url instead of ledger.data-dir.");
        }
    }

    /// What a program came to.
    ///
    /// @param status its exit status
    /// @param output what it said
    record Ended(int status, String output) {}

    /// Runs one to its end.
    Ended run(String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (namespace) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(home.resolve("bin").resolve(program).toString());
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static Ended run(List<String> command) throws IOException {
        // A file, not a pipe: a server that goes on running would hold the pipe open.
        Path output = Files.createTempFile("latchkey-", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().put("LC_ALL", "C");
            Process process = start(builder);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Ended(-1, "no end after " + PATIENCE_SECONDS + " s");
            }
            return new Ended(process.exitValue(), Files.readString(output));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + command.getFirst() + " ran", e);
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private static boolean runsAsRoot() throws IOException {
        Path self = Path.of("/proc/self");
        return Files.exists(self) && Integer.valueOf(0).equals(Files.getAttribute(self, "unix:uid"));
    }
}

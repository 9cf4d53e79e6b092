package dev.latchkey.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The embedded server's programs, for tests that arrange servers of their own. Unpacked once on a machine.
public final class TestPrograms {

    private final ServerPrograms programs;

    private TestPrograms(ServerPrograms programs) {
        this.programs = programs;
    }

    /// Where every test of this user keeps them.
    public static Path place() {
        return Path.of(System.getProperty("java.io.tmpdir"), "latchkey-test-" + System.getProperty("user.name"));
    }

    public static TestPrograms unpacked() {
        try {
            Files.createDirectories(place());
            return new TestPrograms(new ServerPrograms(ServerBinaries.unpack(place())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Runs one to its end, which must be a good one.
    public void run(String program, String... arguments) {
        try {
            ServerPrograms.Ended ended = programs.run(program, arguments);
            if (ended.status() != 0) {
                throw new IllegalStateException(program + " ended with " + ended.status() + ": " + ended.output());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

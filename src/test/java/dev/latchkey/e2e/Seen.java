package dev.latchkey.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where the processes of one run keep what they saw, for the suite that comes last and judges it. A whole run names a
/// folder for all of them, which the build has emptied, by the property `latchkey.seen`; a process that was started by
/// itself has one of its own. Safe for any number of threads.
final class Seen {

    private static final @Nullable String SHARED = System.getProperty("latchkey.seen");
    private static final Path FOLDER = folder();

    private Seen() {}

    private static Path folder() {
        try {
            if (SHARED != null) {
                return Files.createDirectories(Path.of(SHARED));
            }
            Path own = Path.of("target", "seen-alone");
            delete(own);
            return Files.createDirectories(own);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    /// Whether all suites run, in several processes.
    static boolean byManyProcesses() {
        return SHARED != null;
    }

    /// A new file of that kind.
    ///
    /// @param name what it begins with, for people
    static Path newFile(String name, String kind) {
        try {
            return Files.createTempFile(FOLDER, name + "-", kind);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All files of that kind that any process of this run has written.
    static List<Path> files(String kind) {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(each -> each.toString().endsWith(kind)).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

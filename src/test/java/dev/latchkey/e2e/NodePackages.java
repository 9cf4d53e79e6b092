package dev.latchkey.e2e;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/// The folder with the npm packages of `src/test/clients/typescript`, as its lock file names them. They stay in `target`, so
/// that the next run fetches nothing. Safe for any number of processes, one thread in each.
final class NodePackages {

    static final Path FOLDER = Path.of("target", "generated-clients", "typescript").toAbsolutePath();

    private static final Path SOURCE = Path.of("src", "test", "clients", "typescript");
    private static final Path INSTALLED = FOLDER.resolve("installed-package-lock.json");

    private NodePackages() {}

    /// Installs them; skips the test where Node is missing or they cannot be fetched.
    static Path installed() {
        Tool.needed("node", "nodejs");
        Tool.needed("npm", "npm");
        try {
            Files.createDirectories(FOLDER);
            // Suites run in two processes.
            try (FileChannel channel = FileChannel.open(FOLDER.resolve("lock"), CREATE, WRITE);
                    FileLock lock = channel.lock()) {
                assertThat(lock.isValid()).isTrue();
                install();
            }
            return FOLDER;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Brings a file of the sources there.
    static void copy(String name) throws IOException {
        Files.copy(SOURCE.resolve(name), FOLDER.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private static void install() throws IOException {
        Path wanted = SOURCE.resolve("package-lock.json");
        if (Files.exists(INSTALLED) && Files.mismatch(wanted, INSTALLED) < 0) {
            return;
        }
        copy("package.json");
        copy("package-lock.json");
        Tool.Ran ran = Tool.run(FOLDER, Map.of(),
                List.of("npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"));
        assumeTrue(ran.exit() == 0, () -> "SKIPPED: npm cannot fetch the packages: " + ran.output());
        Files.copy(wanted, INSTALLED, StandardCopyOption.REPLACE_EXISTING);
    }
}

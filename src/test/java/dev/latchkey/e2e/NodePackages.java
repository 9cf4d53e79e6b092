package dev.latchkey.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The folder with the npm packages of `src/test/clients/typescript`, as its lock file names them. They stay in `target`, so
/// that the next run fetches nothing. For one thread.
final class NodePackages {

    static final Path FOLDER = Path.of("target", "generated-clients", "typescript").toAbsolutePath();

    private static final Path SOURCE = Path.of("src", "test", "clients", "typescript");
    private static final Path INSTALLED = FOLDER.resolve("installed-package-lock.json");

    private NodePackages() {}

    /// Installs them; skips the test where Node is missing or they cannot be fetched.
    static Path installed() {
        Tool.needed("node", "nodejs");
        Tool.needed("npm", "npm");
        try (Stream<Path> files = Files.list(SOURCE)) {
            Files.createDirectories(FOLDER);
            for (Path file : files.toList()) {
                Files.copy(file, FOLDER.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
            Path lock = FOLDER.resolve("package-lock.json");
            if (!Files.exists(INSTALLED) || Files.mismatch(lock, INSTALLED) >= 0) {
                Tool.Ran ran = Tool.run(FOLDER, Map.of(),
                        List.of("npm", "ci", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"));
                assumeTrue(ran.exit() == 0, () -> "SKIPPED: npm cannot fetch the packages: " + ran.output());
                Files.copy(lock, INSTALLED, StandardCopyOption.REPLACE_EXISTING);
            }
            return FOLDER;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

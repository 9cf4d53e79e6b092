package dev.latchkey.postgres;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.UUID;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.XZInputStream;

/// The embedded server's programs, unpacked from the class path into a folder of their own, once.
///
/// Several processes may unpack into one folder at once: each into a place of its own, and the first one wins.
final class ServerBinaries {

    private ServerBinaries() {}

    /// Unpacks them unless that has been done.
    ///
    /// @param under the folder that shall hold them
    /// @return the folder with `bin`, `lib` and `share`
    static Path unpack(Path under) throws IOException {
        URL archive = archive();
        if (archive == null) {
            throw new LedgerUnfit("This build has no embedded PostgreSQL for this machine ("
                    + System.getProperty("os.name") + ", " + System.getProperty("os.arch")
                    + "): set ledger.url instead of ledger.data-dir.");
        }
        Path home = under.resolve("postgresql-" + archive.openConnection().getContentLengthLong());
        if (Files.isDirectory(home)) {
            return home;
        }
        Path fresh = under.resolve(home.getFileName() + "." + UUID.randomUUID());
        try {
            extract(archive, fresh);
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            // Another process may have been first: its copy is as good.
            if (!Files.isDirectory(home)) {
                throw e;
            }
        } finally {
            Folders.delete(fresh);
        }
        return home;
    }

    private static @Nullable URL archive() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        String architecture = processor.equals("amd64") || processor.equals("x86_64") ? "x86_64" : "arm_64";
        if (system.startsWith("linux")) {
            boolean alpine = Files.exists(Path.of("/etc/alpine-release"));
            return resource("postgres-linux-" + architecture + (alpine ? "-alpine_linux" : ""));
        }
        return system.startsWith("mac") ? resource("postgres-darwin-" + architecture) : null;
    }

    private static @Nullable URL resource(String name) {
        return ServerBinaries.class.getClassLoader().getResource(name + ".txz");
    }

    private static void extract(URL archive, Path target) throws IOException {
        try (InputStream raw = new BufferedInputStream(archive.openStream());
                TarArchiveInputStream tar = new TarArchiveInputStream(new XZInputStream(raw))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                Path place = target.resolve(entry.getName()).normalize();
                if (!place.startsWith(target)) {
                    throw new IOException("an archive entry points outside of its folder");
                }
                write(tar, entry, place);
            }
        }
    }

    private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path place) throws IOException {
        if (entry.isDirectory()) {
            Files.createDirectories(place);
            return;
        }
        Files.createDirectories(place.resolveSibling("."));
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(place, Path.of(entry.getLinkName()));
        } else {
            Files.copy(tar, place);
            boolean program = place.getParent() != null && place.getParent().endsWith("bin");
            Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
        }
    }
}

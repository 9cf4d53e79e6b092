package dev.latchkey.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/// The folder of an embedded server, while this process owns it.
///
/// @param place where it is
/// @param lock held on a file in it until it is closed
/// @param password the server's: random, made with the folder
record ServerFolder(Path place, FileChannel lock, String password) implements AutoCloseable {

    /// Makes it where there is none, and takes it.
    ///
    /// @throws LedgerUnfit when it is another's; the message says whose and what to do
    static ServerFolder own(Path folder) throws IOException {
        prepare(folder);
        FileChannel lock = lock(folder);
        try {
            return new ServerFolder(folder, lock, password(folder));
        } catch (IOException e) {
            lock.close();
            throw e;
        }
    }

    private static void prepare(Path folder) throws IOException {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new LedgerUnfit("ledger.data-dir " + folder + " is not a folder: name another.");
        }
        boolean ours = Files.exists(folder.resolve("lock"));
        if (Files.exists(folder) && !ours && !Folders.isEmpty(folder)) {
            throw new LedgerUnfit("ledger.data-dir " + folder
                    + " holds files that Latchkey did not make: name an empty folder, or one that it made.");
        }
        Files.createDirectories(folder);
    }

    /// The lock ends with this process, however it ends.
    private static FileChannel lock(Path folder) throws IOException {
        FileChannel channel = FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!tryLock(channel)) {
            channel.close();
            throw new LedgerUnfit("ledger.data-dir " + folder
                    + " is in use by another gateway that is running: stop that"
                    + " one, name another folder, or set ledger.url for both, so that they share one PostgreSQL.");
        }
        return channel;
    }

    private static boolean tryLock(FileChannel channel) throws IOException {
        try {
            FileLock held = channel.tryLock();
            return held != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static String password(Path folder) throws IOException {
        Path file = folder.resolve("password");
        if (Files.notExists(file) || Files.size(file) == 0) {
            byte[] random = new byte[24];
            new SecureRandom().nextBytes(random);
            Path fresh = Files.createTempFile(folder, "password", ".new");
            Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
            Files.writeString(fresh, HexFormat.of().formatHex(random));
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        }
        return Files.readString(file).strip();
    }

    /// Lets go of it.
    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

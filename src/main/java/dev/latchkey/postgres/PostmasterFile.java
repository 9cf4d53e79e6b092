package dev.latchkey.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The `postmaster.pid` of a PostgreSQL folder: which process served it last.
///
/// @param file where it lies
/// @param process the server's process id
/// @param cluster the folder that it says it serves
record PostmasterFile(Path file, long process, String cluster) {

    /// Reads it; empty where there is none, or none that makes sense.
    static Optional<PostmasterFile> in(Path cluster) throws IOException {
        Path file = cluster.resolve("postmaster.pid");
        if (Files.notExists(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        try {
            return lines.size() < 2
                    ? Optional.empty()
                    : Optional.of(new PostmasterFile(file, Long.parseLong(lines.getFirst().strip()), lines.get(1)));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /// Whether that process lives and is a PostgreSQL that serves this folder; process ids are used again, after a restart
    /// of the machine most of all.
    boolean serves(Path folder) {
        return cluster.equals(folder.toString())
                && ProcessHandle.of(process).filter(ProcessHandle::isAlive).filter(it -> runs(it, folder)).isPresent();
    }

    private static boolean runs(ProcessHandle handle, Path folder) {
        ProcessHandle.Info info = handle.info();
        boolean postgres = info.command().map(Path::of).map(Path::getFileName).map(Path::toString)
                .filter(name -> name.startsWith("postgres")).isPresent();
        // Where the arguments cannot be read, the program's name and the folder's own file must do.
        boolean folderNamed = info.arguments().map(List::of).map(all -> all.contains(folder.toString())).orElse(true);
        return postgres && folderNamed;
    }
}

package dev.latchkey.postgres;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Makes one sentence of what a failed server said.
final class ServerTrouble {

    private static final long MOST = 64L << 10;

    private ServerTrouble() {}

    /// What is wrong and what to do.
    static String explain(String what, Path folder, String said) {
        if (said.contains("No space left on device") || said.contains("Disk quota exceeded")) {
            return what + " in " + folder + ": the disk is full. Make room, or set ledger.data-dir to another disk.";
        }
        if (said.contains("Permission denied") || said.contains("AccessDenied")
                || said.contains("Read-only file system")) {
            return what + " in " + folder
                    + ": it may not write there. Set ledger.data-dir to a folder that this user may"
                    + " write.";
        }
        return what + " in " + folder + ": " + telling(said) + " Set ledger.url to use a PostgreSQL of your own.";
    }

    /// The first line that says what went wrong, with a full stop.
    private static String telling(String said) {
        String line = said.lines().filter(it -> it.contains("FATAL") || it.contains("error:") || it.contains("PANIC"))
                .findFirst()
                .orElseGet(() -> said.lines().filter(it -> !it.isBlank()).reduce((first, last) -> last)
                        .orElse("no reason given"));
        return line.strip().replaceFirst("^.*?(FATAL|PANIC): +", "").replaceFirst("\\.$", "") + ".";
    }

    /// What was written to a log since it had that length.
    static String tail(Path log, long since) throws IOException {
        if (Files.notExists(log)) {
            return "";
        }
        try (FileChannel channel = FileChannel.open(log)) {
            long from = Math.max(since, channel.size() - MOST);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.max(0, channel.size() - from));
            channel.read(bytes, from);
            return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
        }
    }
}

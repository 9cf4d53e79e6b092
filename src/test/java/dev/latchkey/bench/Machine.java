package dev.latchkey.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The machine that was measured, and how busy it was.
final class Machine {

    private static final Path PROC = Path.of("/proc");
    private static final Path BLOCK_DEVICES = Path.of("/sys/dev/block");

    private Machine() {}

    /// In the order of the report. What cannot be told is left out.
    ///
    /// @param data where PostgreSQL keeps what it has
    static Map<String, String> describe(String postgres, Path data) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("CPU", field("cpuinfo", "model name"));
        facts.put("Cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("Memory", memory());
        facts.put("Kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("JDK", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("PostgreSQL", postgres);
        disk(data).ifPresent(it -> facts.put("Disk", it));
        commit().ifPresent(it -> facts.put("Commit", it));
        return facts;
    }

    /// `ext4 on vda (rotational: 0, write cache: write back)`: the file system, and of the disk what the kernel says, which
    /// of a virtual one may be wrong.
    private static Optional<String> disk(Path data) {
        try {
            String type = Files.getFileStore(data).type();
            Path device = BLOCK_DEVICES.resolve(device((Long) Files.getAttribute(data, "unix:dev")));
            if (!Files.exists(device)) {
                return Optional.of(type);
            }
            Path real = device.toRealPath();
            // A partition's queue is its disk's.
            Path disk = Files.exists(real.resolve("queue")) ? real : real.resolve("..").normalize();
            return Optional.of("%s on %s (rotational: %s, write cache: %s)".formatted(
                    type, real.getFileName(), line(disk.resolve("queue/rotational")),
                    line(disk.resolve("queue/write_cache"))));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// `MAJOR:MINOR` of a device's number, as Linux packs them.
    static String device(long number) {
        long major = ((number >>> 8) & 0xFFF) | ((number >>> 32) & ~0xFFFL);
        long minor = (number & 0xFF) | ((number >>> 12) & ~0xFFL);
        return (major & 0xFFFFFFFFL) + ":" + (minor & 0xFFFFFFFFL);
    }

    private static String line(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException _) {
            return "unknown";
        }
    }

    /// Of the sources; `-dirty` behind it where they were changed since.
    private static Optional<String> commit() {
        try {
            Process git = new ProcessBuilder("git", "describe", "--always", "--exclude=*", "--dirty")
                    .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.waitFor() == 0 && !said.isEmpty() ? Optional.of(said) : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /// How many threads wanted a core, over one, five and fifteen minutes; the benchmark's own are among them.
    static String load() {
        try {
            String[] parts = Files.readString(PROC.resolve("loadavg")).split(" ");
            return parts[0] + " " + parts[1] + " " + parts[2];
        } catch (IOException _) {
            return "unknown";
        }
    }

    private static String memory() {
        String kilobytes = field("meminfo", "MemTotal").replaceAll("\\D", "");
        return kilobytes.isEmpty() ? "unknown" : Math.round(Long.parseLong(kilobytes) / 1024.0 / 1024) + " GiB";
    }

    private static String field(String file, String name) {
        try (Stream<String> lines = Files.lines(PROC.resolve(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst().orElse("unknown");
        } catch (IOException _) {
            return "unknown";
        }
    }
}

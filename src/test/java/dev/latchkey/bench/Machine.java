package dev.latchkey.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/// The machine that was measured, and how busy it was.
final class Machine {

    private static final Path PROC = Path.of("/proc");

    private Machine() {}

    /// In the order of the report.
    static Map<String, String> describe(String postgres) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("CPU", field("cpuinfo", "model name"));
        facts.put("Cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        facts.put("Memory", memory());
        facts.put("Kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("JDK", System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"));
        facts.put("PostgreSQL", postgres);
        return facts;
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

package dev.latchkey.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;

/// What a replica keeps in memory.
final class Heap {

    private Heap() {}

    /// What is left after a full collection, in bytes.
    static long live(Replica replica) throws IOException {
        Process look = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(replica.program().pid()), "GC.class_histogram").redirectErrorStream(true).start();
        try (BufferedReader lines = look.inputReader()) {
            String total = lines.lines().filter(line -> line.startsWith("Total")).findFirst().orElseThrow();
            return Long.parseLong(total.strip().split("\\s+")[2]);
        }
    }
}

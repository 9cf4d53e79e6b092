package dev.latchkey.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// The processor's time that processes have used, as the kernel keeps it. Linux only.
final class Cpu {

    private static final Path PROC = Path.of("/proc");
    /// The kernel's unit towards programs: a hundred a second on every machine that Linux runs on by now.
    private static final long TICK_NANOS = 10_000_000;

    /// What a line of `/proc/PID/stat` says.
    ///
    /// @param parent its process id
    /// @param own ticks, in and for the process
    /// @param reaped ticks of children that have ended
    record Stat(long parent, long own, long reaped) {

        /// The name, in parentheses, may hold anything, parentheses and spaces too.
        static Stat parse(String line) {
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return new Stat(
                    Long.parseLong(fields[1]), Long.parseLong(fields[11]) + Long.parseLong(fields[12]),
                    Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
        }
    }

    private Cpu() {}

    /// Of one process, to a tick; threads that have ended are in it.
    static Duration of(long pid) throws IOException {
        return time(stat(pid).own());
    }

    /// Of a process and of all its children, each of a single thread, to the nanosecond: what forty of them use for one
    /// caller is less than a tick each. Those that have ended are in it, to a tick.
    static Duration withChildren(long pid) throws IOException {
        long children = 0;
        try (DirectoryStream<Path> all = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : all) {
                children += ofChild(process, pid);
            }
        }
        // Afterwards: one that ends meanwhile must not be missed. Counted twice, it is one among many.
        return Duration.ofNanos(children + ofThread(PROC.resolve(String.valueOf(pid))))
                .plus(time(stat(pid).reaped()));
    }

    private static long ofChild(Path process, long parent) {
        try {
            return Stat.parse(Files.readString(process.resolve("stat"))).parent() == parent ? ofThread(process) : 0;
        } catch (IOException _) {
            // It has ended meanwhile.
            return 0;
        }
    }

    private static long ofThread(Path process) throws IOException {
        return nanos(Files.readString(process.resolve("schedstat")));
    }

    /// What a line of `/proc/PID/schedstat` says of a process's first thread: ran, waited to run, how often.
    static long nanos(String line) {
        return Long.parseLong(line.substring(0, line.indexOf(' ')));
    }

    private static Stat stat(long pid) throws IOException {
        return Stat.parse(Files.readString(PROC.resolve(pid + "/stat")));
    }

    private static Duration time(long ticks) {
        return Duration.ofNanos(ticks * TICK_NANOS);
    }
}

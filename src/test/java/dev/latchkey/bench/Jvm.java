package dev.latchkey.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A Java program as a process of its own, on the Java of the harness, without an option of ours. What it prints goes to
/// a file.
public final class Jvm implements AutoCloseable {

    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long LOOK_AGAIN_NANOS = 20_000_000L;

    private static final long LONG_LOG = 8 << 20;

    private final Process process;
    private final Path log;

    private Jvm(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /// Starts the packaged program.
    ///
    /// @param name of the file that it prints to
    public static Jvm jar(Path folder, String name, String... arguments) throws IOException {
        Path jar = Path.of(System.getProperty("latchkey.jar", "target/latchkey.jar"));
        return start(folder, name, List.of("-jar", jar.toString()), arguments);
    }

    /// Starts a class of the tests.
    public static Jvm main(Path folder, Class<?> main, String... arguments) throws IOException {
        return start(
                folder, main.getSimpleName(),
                List.of("-classpath", System.getProperty("java.class.path"), main.getName()), arguments);
    }

    /// Starts a program with these options for Java.
    static Jvm start(Path folder, String name, List<String> program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(program);
        command.addAll(List.of(arguments));
        Path log = folder.resolve(name + ".log");
        Files.deleteIfExists(log);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().remove("LATCHKEY_CONFIG");
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Jvm jvm = new Jvm(builder.start(), log);
        Thread.ofPlatform().daemon().name("log of " + name).start(jvm::keepLogShort);
        return jvm;
    }

    /// A gateway writes a line for each call: left alone they would be a gigabyte, and their way to the disk would be in
    /// the way of the ledger's.
    private void keepLogShort() {
        try {
            while (!process.waitFor(1, TimeUnit.SECONDS)) {
                if (Files.size(log) > LONG_LOG) {
                    try (FileChannel file = FileChannel.open(log, StandardOpenOption.WRITE)) {
                        file.truncate(0);
                    }
                }
            }
        } catch (IOException | InterruptedException e) {
            System.err.println("no longer kept short: " + log + ": " + e);
        }
    }

    /// Waits until it has printed that, and gives the first group of it.
    public String await(Pattern pattern) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            Matcher found = pattern.matcher(printed());
            if (found.find()) {
                return found.group(1);
            }
            if (!process.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException("no " + pattern + " in " + log + ":\n" + printed());
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
    }

    /// Waits for its end, which must be a good one.
    public void awaitSuccess() {
        try {
            if (process.waitFor() != 0) {
                throw new IllegalStateException("failed, see " + log + ":\n" + printed());
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new IllegalStateException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    private String printed() {
        try {
            return Files.exists(log) ? Files.readString(log) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// SIGKILL: nothing here is worth a drain.
    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}

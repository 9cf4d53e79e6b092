package dev.latchkey.e2e;

import dev.latchkey.testing.Debugger;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/// The packaged program as a process of its own, on the Java of the tests. Everything it prints is kept, in a file too, so
/// that one scan can look through the logs of every program that was run. Safe for any number of threads.
public final class Program implements AutoCloseable {

    /// The kind of file that its output is kept in.
    static final String LOG = ".log";

    private static final int PATIENCE_SECONDS = 120;

    /// Dozens of programs are started, each for seconds: to compile their code well would be most of what they do.
    private static final List<String> BRIEF = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /// Instead of these and of any cache: as users start it.
    static final String AS_USERS_DO = "-XX:TieredStopAtLevel=4";

    /// Makes a cache of what this start loads.
    static final String TRAINING = "-XX:AOTCacheOutput=";

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final List<Watch> watches = new CopyOnWriteArrayList<>();
    private final CompletableFuture<Integer> ended = new CompletableFuture<>();

    private final Semaphore reading = new Semaphore(1);

    private record Watch(Predicate<String> wanted, CompletableFuture<String> seen) {}

    private Program(Process process) {
        this.process = process;
    }

    /// Starts it with these options for Java and these arguments.
    public static Program start(List<String> javaOptions, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (!javaOptions.contains(AS_USERS_DO)) {
            command.addAll(brief(!javaOptions.contains(Debugger.OPTION)
                    && javaOptions.stream().noneMatch(each -> each.startsWith(TRAINING))));
        }
        command.addAll(javaOptions);
        command.add("-jar");
        command.add(StartCache.jar().toString());
        command.addAll(List.of(arguments));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.environment().remove("LATCHKEY_CONFIG");
            builder.environment().remove("JAVA_TOOL_OPTIONS");
            Path log = Seen.newFile(arguments[0], LOG);
            Program program = new Program(builder.start());
            // A suite that fails while it starts may leave some to themselves.
            Runtime.getRuntime().addShutdownHook(new Thread(program.process::destroyForcibly));
            Thread.ofPlatform().daemon().name("output of " + arguments[0]).start(() -> program.read(log));
            return program;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Java's options for a short run.
    public static List<String> brief() {
        return brief(true);
    }

    private static List<String> brief(boolean cached) {
        List<String> options = new ArrayList<>(BRIEF);
        if (cached) {
            StartCache.made().ifPresent(cache -> options.add("-XX:AOTCache=" + cache));
        }
        return options;
    }

    /// Runs it to its end.
    public static Program run(String... arguments) {
        Program program = start(List.of(), arguments);
        program.awaitExit();
        return program;
    }

    private void read(Path log) {
        try (BufferedReader out = process.inputReader(); BufferedWriter kept = Files.newBufferedWriter(log)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                String printed = line;
                reading.acquireUninterruptibly();
                reading.release();
                keep(kept, printed);
                lines.add(printed);
                watches.stream().filter(w -> w.wanted().test(printed)).forEach(w -> w.seen().complete(printed));
            }
        } catch (IOException _) {
            // the process was killed: there is nothing more to read
        }
        try {
            ended.complete(process.waitFor());
        } catch (InterruptedException e) {
            ended.completeExceptionally(e);
        }
        watches.forEach(w -> w.seen().completeExceptionally(new IllegalStateException("ended:\n" + output())));
    }

    private static void keep(Writer kept, String line) {
        try {
            kept.write(line + "\n");
            // This process may be killed.
            kept.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits for a line, printed already or to come; fails when the program ends without it.
    public String awaitLine(Predicate<String> wanted) {
        Watch watch = new Watch(wanted, new CompletableFuture<>());
        watches.add(watch);
        lines.stream().filter(wanted).findFirst().ifPresent(watch.seen()::complete);
        if (ended.isDone()) {
            watch.seen().completeExceptionally(new IllegalStateException("ended:\n" + output()));
        }
        return get(watch.seen());
    }

    int awaitExit() {
        return get(ended);
    }

    public long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /// Nobody reads what it prints until that is closed.
    AutoCloseable unread() {
        reading.acquireUninterruptibly();
        return reading::release;
    }

    /// What it printed so far.
    public String output() {
        return String.join("\n", lines);
    }

    /// SIGTERM. By its handle, for the process itself would end the reading of its last words.
    void terminate() {
        process.toHandle().destroy();
    }

    /// SIGKILL, and waits until it is gone.
    public void kill() {
        process.toHandle().destroyForcibly();
        awaitExit();
    }

    /// SIGSTOP: stands still, whatever it was doing, until it is told to go on.
    void stop() {
        signal("STOP");
    }

    /// SIGCONT.
    void goOn() {
        signal("CONT");
    }

    /// Sends it the signal of that name, without `SIG`.
    void signal(String name) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("no SIG" + name + " for " + process.pid());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }

    private <T> T get(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("not seen in the output of the program:\n" + output(), e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}

package dev.latchkey.torture;

import dev.latchkey.gateway.Clocks;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs a gateway as a process of its own, kills it (SIGKILL) at random moments and starts it again. Used by one thread, but
/// for closing, which ends it from any.
public final class Killer implements AutoCloseable {

    private static final int SHORTEST_LIFE_MILLIS = 2_000;
    private static final int LONGEST_LIFE_MILLIS = 10_000;
    private static final int LONGEST_DEATH_MILLIS = 1_000;
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int DRAIN_SECONDS = 120;

    private final List<String> command;
    private final Path log;
    private final URI gateway;
    private final Caller caller;
    private final SplittableRandom random;
    private final Clocks clocks;
    private volatile @Nullable Process running;
    private volatile boolean closed;
    private int kills;

    /// Starts nothing yet.
    ///
    /// @param command starts the gateway
    /// @param log takes what it prints
    /// @param gateway where it listens then
    /// @param caller of a client
    public Killer(List<String> command, Path log, URI gateway, Caller caller, long seed, Clocks clocks) {
        this.command = List.copyOf(command);
        this.log = log;
        this.gateway = gateway;
        this.caller = caller;
        this.random = new SplittableRandom(seed);
        this.clocks = clocks;
    }

    /// Kills and starts until it is interrupted.
    ///
    /// @throws IOException when the gateway does not start again
    void kill() throws IOException, InterruptedException {
        while (true) {
            clocks.sleep(Duration.ofMillis(random.nextInt(SHORTEST_LIFE_MILLIS, LONGEST_LIFE_MILLIS)));
            end();
            kills++;
            clocks.sleep(Duration.ofMillis(random.nextInt(LONGEST_DEATH_MILLIS)));
            revive();
        }
    }

    /// Starts the gateway unless it runs, and returns once it answers from its ledger.
    ///
    /// @throws IOException when it does not start
    void revive() throws IOException, InterruptedException {
        Process process = running;
        if (process == null && answers()) {
            throw new IOException("another gateway runs at " + gateway + ", and --kill starts its own");
        }
        if (process == null || !process.isAlive()) {
            process = start();
        }
        long begun = clocks.nanos();
        while (!answers()) {
            if (!process.isAlive() || clocks.nanos() - begun > PATIENCE.toNanos()) {
                throw new IOException("the gateway does not start; " + log + " says why");
            }
            clocks.sleep(LOOK);
        }
    }

    private synchronized Process start() throws IOException {
        if (closed) {
            throw new IOException("stopped");
        }
        Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString()))).start();
        running = process;
        return process;
    }

    private boolean answers() throws InterruptedException {
        try {
            caller.get(gateway, "/v1/entries?limit=1");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Ends it, and returns once it is gone: an interruption waits, for who revives next must not take the dying for alive.
    private void end() {
        Process process = running;
        if (process != null) {
            process.destroyForcibly().onExit().join();
        }
    }

    int kills() {
        return kills;
    }

    /// Ends it now.
    public synchronized void endNow() {
        closed = true;
        Process process = running;
        if (process != null) {
            process.destroyForcibly();
        }
    }

    /// Lets it drain.
    @Override
    public void close() {
        Process process;
        synchronized (this) {
            closed = true;
            process = running;
        }
        if (process != null) {
            process.destroy();
            try {
                if (!process.waitFor(DRAIN_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}

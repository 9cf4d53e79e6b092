package dev.latchkey.testing;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;

/// Somebody's program that listens on a port of the loopback address, as a process of its own, no service. Not for several
/// threads.
public final class Neighbour implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final int port;

    private Neighbour(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /// Starts it, and waits until it listens.
    ///
    /// @param command how, the file with its configuration last
    /// @param port where its configuration has it listen
    public static Neighbour start(Path folder, String name, String configuration, int port, List<String> command) {
        try {
            Path file = Files.writeString(folder.resolve(name + "-" + port + ".conf"), configuration);
            Path printed = folder.resolve(name + "-" + port + ".txt");
            List<String> whole = new ArrayList<>(command);
            whole.add(file.toString());
            Process process = new ProcessBuilder(whole)
                    .redirectErrorStream(true)
                    .redirectOutput(printed.toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            Neighbour started = new Neighbour(process, port);
            try {
                await().atMost(PATIENCE).until(() -> {
                    if (!process.isAlive()) {
                        throw new IllegalStateException(name + " ended: " + Files.readString(printed));
                    }
                    return started.listens();
                });
            } catch (ConditionTimeoutException e) {
                process.destroyForcibly();
                throw new IllegalStateException(name + " does not listen: " + Files.readString(printed), e);
            }
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// A free port of the loopback address.
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean listens() {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    public int port() {
        return port;
    }

    /// SIGKILL, and waits until it is gone.
    public void kill() {
        try {
            process.destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(5, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

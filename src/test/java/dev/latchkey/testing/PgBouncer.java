package dev.latchkey.testing;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The machine's pgbouncer in transaction mode, as a process of its own, no service: the one on the path, or the one that the
/// property `latchkey.test.pgbouncer` names. Its test is skipped where there is none. Not for several threads.
public final class PgBouncer implements AutoCloseable {

    /// How many sessions it lends.
    public static final int SESSIONS = 3;

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String PROGRAM = System.getProperty("latchkey.test.pgbouncer", "pgbouncer");
    private static final Pattern VERSION = Pattern.compile("PgBouncer (\\d+)\\.(\\d+)");

    private final Process process;
    private final int port;

    private PgBouncer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /// Starts one in front of that database's server.
    ///
    /// @param more lines of its configuration
    public static PgBouncer start(Path folder, TestPostgres database, String more) {
        version();
        int port = freePort();
        String configuration = """
                [databases]
                * = host=127.0.0.1 port=%d user=%s password=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 200
                %s
                """.formatted(database.port(), database.user(), database.password(), port, SESSIONS, more);
        try {
            Path file = Files.writeString(folder.resolve("pgbouncer-" + port + ".ini"), configuration);
            Path printed = folder.resolve("pgbouncer-" + port + ".txt");
            List<String> command = new ArrayList<>(List.of(PROGRAM));
            if (System.getProperty("user.name").equals("root")) {
                command.addAll(List.of("-u", "nobody"));
            }
            command.add(file.toString());
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(printed.toFile())
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            PgBouncer started = new PgBouncer(process, port);
            await().atMost(PATIENCE).until(() -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException("pgbouncer ended: " + Files.readString(printed));
                }
                return started.listens();
            });
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Whether it keeps prepared statements, with settings of its own.
    public static boolean keepsStatements() {
        Matcher version = version();
        return Integer.parseInt(version.group(1)) > 1 || Integer.parseInt(version.group(2)) >= 24;
    }

    private static Matcher version() {
        String said = "";
        try {
            Process asked = new ProcessBuilder(PROGRAM, "--version").redirectErrorStream(true).start();
            said = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException _) {
            // said below
        }
        Matcher version = VERSION.matcher(said);
        assumeTrue(version.find(), "SKIPPED: no pgbouncer on the path; install Debian's pgbouncer");
        return version;
    }

    private static int freePort() {
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

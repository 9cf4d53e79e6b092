package dev.latchkey.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The machine's pgbouncer in transaction mode, as a process of its own, no service: the one on the path, or the one that the
/// property `latchkey.test.pgbouncer` names. Its test is skipped where there is none. Not for several threads.
public final class PgBouncer implements AutoCloseable {

    /// How many sessions it lends.
    public static final int SESSIONS = 3;

    private static final String PROGRAM = System.getProperty("latchkey.test.pgbouncer", "pgbouncer");
    private static final Pattern VERSION = Pattern.compile("PgBouncer (\\d+)\\.(\\d+)");

    private final Neighbour process;

    private PgBouncer(Neighbour process) {
        this.process = process;
    }

    /// Starts one in front of that database's server.
    ///
    /// @param more lines of its configuration
    public static PgBouncer start(Path folder, TestPostgres database, String more) {
        return start(folder, database.port(), database.user() + " password=" + database.password(), more);
    }

    /// Starts one in front of that server, whose users need no password.
    public static PgBouncer start(Path folder, PostgresNode server) {
        return start(folder, server.port(), "postgres", "");
    }

    private static PgBouncer start(Path folder, int server, String user, String more) {
        version();
        int port = Neighbour.freePort();
        String configuration = """
                [databases]
                * = host=127.0.0.1 port=%d user=%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %d
                unix_socket_dir =
                auth_type = any
                pool_mode = transaction
                default_pool_size = %d
                max_client_conn = 200
                %s
                """.formatted(server, user, port, SESSIONS, more);
        List<String> command = new ArrayList<>(List.of(PROGRAM));
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("-u", "nobody"));
        }
        return new PgBouncer(Neighbour.start(folder, "pgbouncer", configuration, port, command));
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

    public int port() {
        return process.port();
    }

    @Override
    public void close() {
        process.close();
    }
}

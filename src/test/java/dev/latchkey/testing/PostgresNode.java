package dev.latchkey.testing;

import static org.awaitility.Awaitility.await;

import dev.latchkey.postgres.TestPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/// One PostgreSQL, alone or of a [PostgresPair]: its programs, its folder, its port, and what can befall it. Not for several threads.
public final class PostgresNode implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final TestPrograms programs;
    private final Path data;
    private final int port;
    private final PostgresProcesses processes;
    private boolean runs;

    private PostgresNode(TestPrograms programs, Path data) {
        this.programs = programs;
        this.data = data;
        this.processes = new PostgresProcesses(data);
        this.port = Neighbour.freePort();
    }

    /// Starts a server that has no other beside it.
    public static PostgresNode alone(Path folder) {
        PostgresNode node = make(TestPrograms.unpacked(), folder.resolve("alone"));
        node.start();
        return node;
    }

    /// Makes a server that does not run yet.
    public static PostgresNode make(TestPrograms programs, Path data) {
        programs.run("initdb", "-D", data.toString(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale",
                "--no-sync");
        PostgresNode node = new PostgresNode(programs, data);
        node.set(
                "listen_addresses = '127.0.0.1'", "unix_socket_directories = ''", "max_connections = 100",
                "wal_sender_timeout = '5s'", "wal_receiver_timeout = '5s'", "wal_retrieve_retry_interval = '200ms'");
        return node;
    }

    /// Makes another of its files, while it does not run.
    PostgresNode copy(Path to) {
        try (Stream<Path> files = Files.walk(data)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(data.relativize(file).toString()),
                        java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new PostgresNode(programs, to);
    }

    /// Appends lines to its configuration; the last one counts.
    public void set(String... lines) {
        try {
            Files.write(data.resolve("postgresql.conf"), List.of(lines), java.nio.file.StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Appends lines to its configuration and lets it read them.
    public void reload(String... lines) {
        set(lines);
        execute("select pg_reload_conf()");
    }

    /// From its next start on it follows that one, by a slot there.
    void follow(PostgresNode other, String name) {
        other.execute("select pg_create_physical_replication_slot('" + name + "', true)");
        set("primary_conninfo = 'host=127.0.0.1 port=" + other.port + " user=postgres application_name=" + name + "'",
                "primary_slot_name = '" + name + "'");
        try {
            Files.createFile(data.resolve("standby.signal"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    /// `HOST:PORT`, as a URL says it.
    public String address() {
        return "127.0.0.1:" + port;
    }

    /// How to reach a database of it alone, user in it.
    public String url(String database) {
        return "jdbc:postgresql://" + address() + "/" + database + "?user=postgres";
    }

    /// Starts it, or starts it again, and waits until it can be asked.
    public void start() {
        processes.forget();
        programs.run("pg_ctl", "-D", data.toString(), "-l", log().toString(), "-w", "-t", "60", "-o", "-p " + port,
                "start");
        runs = true;
    }

    /// Whether it was started, and neither stopped nor killed since.
    public boolean isStarted() {
        return runs;
    }

    /// Stops it in good order.
    public void stop() {
        programs.run("pg_ctl", "-D", data.toString(), "-m", "fast", "-w", "-t", "60", "stop");
        runs = false;
    }

    /// SIGKILL of all of it at once, as a machine dies.
    public void kill() {
        processes.kill();
        runs = false;
    }

    /// SIGSTOP of all of it: it answers nobody, and its kernel still accepts connections.
    public void freeze() {
        processes.freeze();
    }

    /// SIGCONT of all of it.
    public void thaw() {
        processes.thaw();
    }

    /// Makes a primary of a standby and waits until it is one.
    public void promote() {
        execute("select pg_promote(true, 60)");
    }

    /// Waits until a synchronous standby has all of it.
    public void awaitStandby() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).ignoreExceptions()
                .until(() -> ask("select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')")
                        .equals("1"));
    }

    /// Waits until no standby is connected any more.
    public void awaitNoStandby() {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20))
                .until(() -> ask("select count(*) from pg_stat_replication").equals("0"));
    }

    /// Runs statements in the database `postgres`; none of them waits for a standby.
    public void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url("postgres"));
                Statement statement = connection.createStatement()) {
            statement.execute("set synchronous_commit = local");
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The first column of the only row, in the database `postgres`.
    public String ask(String sql) {
        return ask("postgres", sql);
    }

    /// The first column of the only row, in that database.
    public String ask(String database, String sql) {
        try (Connection connection = DriverManager.getConnection(url(database));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /// What it has logged so far.
    public String logged() {
        try {
            return Files.exists(log()) ? Files.readString(log()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (runs) {
            kill();
        }
    }

    private Path log() {
        return data.resolveSibling(data.getFileName() + ".log");
    }
}

package dev.latchkey.bench;

import dev.latchkey.postgres.TestPrograms;
import dev.latchkey.testing.PostgresNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.stream.Stream;

/// The PostgreSQL under test: the embedded programs, durable, on the disk of this machine. Set up as for a small server of
/// its own, and so that no checkpoint and no vacuum comes but those that are asked for: else their full-page images, and the
/// processor's time of whoever vacuums what another side has left, would fall into some rounds and not into others.
public final class BenchServer implements AutoCloseable {

    private static final String EMPTY = "empty_ledger";

    private final PostgresNode node;
    private final Path folder;
    private final Path data;
    private boolean migrated;

    private BenchServer(PostgresNode node, Path folder, Path data) {
        this.node = node;
        this.folder = folder;
        this.data = data;
    }

    /// @param folder for small files
    /// @param data for what PostgreSQL keeps
    static BenchServer start(Path folder, Path data) throws IOException {
        endLeftOver(data);
        delete(data);
        Files.createDirectories(data.toAbsolutePath().getParent());
        PostgresNode node = PostgresNode.make(TestPrograms.unpacked(), data);
        node.set("max_connections = 300", "shared_buffers = '1GB'", "max_wal_size = '32GB'",
                "checkpoint_timeout = '1h'",
                "fsync = on", "synchronous_commit = on", "full_page_writes = on", "log_checkpoints = off",
                "track_wal_io_timing = on", "autovacuum = off");
        node.start();
        return new BenchServer(node, folder, data);
    }

    /// A benchmark that was killed leaves its server running.
    private static void endLeftOver(Path data) {
        if (Files.exists(data.resolve("postmaster.pid"))) {
            try {
                TestPrograms.unpacked().run("pg_ctl", "-D", data.toString(), "-m", "immediate", "-w", "stop");
            } catch (IllegalStateException _) {
                // It is not running: only its file was left.
            }
        }
    }

    /// An empty ledger, its schema up to date.
    public void newLedger(String database) throws IOException {
        if (!migrated) {
            execute("create database " + EMPTY);
            Jvm.jar(folder, "migrate", "migrate", "--config", settings().toString()).awaitSuccess();
            migrated = true;
        }
        execute("create database " + database + " template " + EMPTY);
    }

    private Path settings() throws IOException {
        return Files.writeString(folder.resolve("migrate.yaml"), """
                ledger: { url: "%s" }
                routes: [{ name: none, prefix: /none, downstream: { url: "http://127.0.0.1:1" } }]
                """.formatted(url(EMPTY)));
    }

    /// The JDBC URL, user in it.
    public String url(String database) {
        return node.url(database);
    }

    public int port() {
        return node.port();
    }

    public Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(url(database));
    }

    /// Statements, in the database `postgres`.
    public void execute(String sql) {
        node.execute(sql);
    }

    /// The first column of the only row, in that database.
    public String ask(String database, String sql) {
        return node.ask(database, sql);
    }

    /// Its version, as it says it.
    public String version() {
        return ask("postgres", "show server_version");
    }

    /// What autovacuum does to a ledger, here and now.
    public void vacuum(String database) throws SQLException {
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute("vacuum (analyze) entry");
            statement.execute("vacuum (analyze) response");
        }
    }

    /// Changes settings that need no restart, each `NAME = VALUE`.
    public void set(String... settings) {
        for (String setting : settings) {
            execute("alter system set " + setting);
        }
        execute("select pg_reload_conf()");
    }

    /// The postmaster's process.
    public long pid() {
        try (Stream<String> lines = Files.lines(data.resolve("postmaster.pid"))) {
            return Long.parseLong(lines.findFirst().orElseThrow().strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Stops it and removes its files.
    @Override
    public void close() {
        if (node.isStarted()) {
            node.stop();
        }
        try {
            delete(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}

package dev.latchkey.testing;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A real PostgreSQL with durable settings, in a folder of its own, that a test can stop and start again on the same port.
/// Not for several threads, apart from [#newDatabase].
public final class PostgresServer implements AutoCloseable {

    private static final AtomicInteger NAMES = new AtomicInteger();

    private final Path folder;
    private int port;
    private @Nullable EmbeddedPostgres server;

    private PostgresServer(Path folder) {
        this.folder = folder;
    }

    public static PostgresServer start(Path folder) {
        PostgresServer server = new PostgresServer(folder);
        server.start();
        return server;
    }

    /// Starts it again where it was stopped.
    public void start() {
        try {
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setPGStartupWait(Duration.ofMinutes(1))
                    .setDataDirectory(folder)
                    .setCleanDataDirectory(false)
                    .setServerConfig("fsync", "on")
                    .setServerConfig("full_page_writes", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "100");
            if (port != 0) {
                builder.setPort(port);
            }
            server = builder.start();
            port = server.getPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Stops it, data kept; connections are cut.
    public void stop() {
        try {
            running().close();
            server = null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Makes an empty database and gives its JDBC URL, user in it.
    public String newDatabase() {
        String name = "test_" + NAMES.incrementAndGet();
        execute("create database " + name);
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + name + "?user=postgres";
    }

    /// Runs a statement in the database `postgres`.
    public void execute(String sql) {
        try (Connection connection = running().getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (server != null) {
            stop();
        }
    }

    private EmbeddedPostgres running() {
        if (server == null) {
            throw new IllegalStateException("stopped");
        }
        return server;
    }
}

package dev.latchkey.postgres;

import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/// The embedded PostgreSQL of `ledger.data-dir`: durable like a real one, on a loopback port of its own, its data kept over
/// restarts.
///
/// One gateway owns a folder, by a lock on a file in it. A second one is refused: if it shared the first one's server, it
/// would lose it when the first one stops. A server that a killed gateway left behind is stopped and started anew, so that
/// it runs with these settings and is this gateway's to stop. One that dies is started again, where it listened before.
public final class LedgerServer implements AutoCloseable {

    private static final Log LOG = Log.of(LedgerServer.class);
    private static final String USER = "latchkey";
    private static final long LONG_LOG = 10L << 20;
    private static final int STARTS = 3;

    private final ServerPrograms programs;
    private final Path cluster;
    private final Path log;
    private final ServerFolder folder;
    private int port;
    private @Nullable ServerWatch watch;

    private LedgerServer(ServerPrograms programs, ServerFolder folder) {
        this.programs = programs;
        this.cluster = folder.place().resolve("postgres");
        this.log = folder.place().resolve("postgres.log");
        this.folder = folder;
    }

    /// Starts the server in that folder, which is made where there is none.
    ///
    /// @throws LedgerUnfit when it cannot start; the message says why and what to do
    public static LedgerServer start(Path folder) {
        return start(folder, folder);
    }

    /// Starts the server in that folder, with its programs unpacked elsewhere.
    ///
    /// @param programs the folder that shall hold the unpacked programs
    public static LedgerServer start(Path folder, Path programs) {
        Path place = folder.toAbsolutePath().normalize();
        ServerFolder owned = null;
        LedgerServer server = null;
        try {
            owned = ServerFolder.own(place);
            Files.createDirectories(programs);
            ServerPrograms tools = new ServerPrograms(ServerBinaries.unpack(programs.toAbsolutePath().normalize()));
            server = new LedgerServer(tools, owned);
            server.endOrphan();
            server.create();
            server.run();
            server.watch = new ServerWatch(server.new Again());
            return server;
        } catch (IOException e) {
            throw unfit(place, e);
        } finally {
            if (owned != null && (server == null || server.port == 0)) {
                owned.close();
            }
        }
    }

    /// How to reach it by JDBC.
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /// Who to connect as.
    public String user() {
        return USER;
    }

    /// With which password: random, made with the folder.
    public String password() {
        return folder.password();
    }

    /// Stops it cleanly: sessions are cut, what is committed stays.
    @Override
    public void close() {
        try {
            if (watch != null) {
                watch.close();
            }
            stop();
            LOG.info(LogEvent.POSTGRES_STOPPED, "folder", cluster.getParent());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            folder.close();
        }
    }

    private void endOrphan() throws IOException {
        PostmasterFile left = PostmasterFile.in(cluster).orElse(null);
        if (left == null) {
            return;
        }
        if (left.serves(cluster)) {
            LOG.warn(LogEvent.POSTGRES_ORPHAN_ENDED, "folder", cluster.getParent());
            stop();
        } else {
            // PostgreSQL would not start if another program has that process id by now. Nobody serves the folder: ours is
            // the lock.
            Files.deleteIfExists(left.file());
        }
    }

    private void create() throws IOException {
        Path version = cluster.resolve("PG_VERSION");
        if (Files.exists(version)) {
            requireVersion(Files.readString(version).strip());
            return;
        }
        // Made beside its place and moved there whole: a start that was cut short leaves nothing half.
        Path fresh = cluster.resolveSibling("postgres.new");
        Folders.delete(fresh);
        ServerPrograms.Ended made = programs.run(
                "initdb", "-D", fresh.toString(), "-U", USER, "-A", "scram-sha-256", "--pwfile",
                cluster.resolveSibling("password").toString(), "-E", "UTF8", "--no-locale");
        if (made.status() != 0) {
            throw new LedgerUnfit(ServerTrouble.explain("PostgreSQL could not make its files", cluster, made.output()));
        }
        Files.move(fresh, cluster, StandardCopyOption.ATOMIC_MOVE);
    }

    private void requireVersion(String found) throws IOException {
        String program = programs.run("postgres", "--version").output();
        String major = program.replaceFirst("(?s)^\\D*(\\d+).*", "$1");
        if (!found.equals(major)) {
            throw new LedgerUnfit("ledger.data-dir " + cluster.getParent() + " was made by PostgreSQL " + found
                    + ", and this build has PostgreSQL " + major
                    + ": use the Latchkey that made it, or name an empty folder.");
        }
    }

    private void run() throws IOException {
        for (int i = 1; port == 0; i++) {
            int free = freePort();
            String trouble = runAt(free);
            if (trouble == null) {
                port = free;
            } else if (i == STARTS || !trouble.contains("could not bind")) {
                throw new LedgerUnfit(ServerTrouble.explain("PostgreSQL did not start", cluster, trouble));
            }
        }
    }

    /// @return what it said when it did not start; null: it runs
    private @Nullable String runAt(int free) throws IOException {
        if (Files.exists(log) && Files.size(log) > LONG_LOG) {
            Files.delete(log);
        }
        long before = Files.exists(log) ? Files.size(log) : 0;
        ServerPrograms.Ended started = programs.run(
                "pg_ctl", "-D", cluster.toString(), "-l", log.toString(), "-w", "-t", "50", "-o", options(free),
                "start");
        return started.status() == 0 ? null : ServerTrouble.tail(log, before) + started.output();
    }

    /// For whoever looks after it.
    private final class Again implements ServerWatch.Watched {

        @Override
        public boolean runs() throws IOException {
            return PostmasterFile.in(cluster).filter(it -> it.serves(cluster)).isPresent();
        }

        @Override
        public void startAgain() throws IOException {
            endOrphan();
            String trouble = runAt(port);
            if (trouble != null) {
                throw new LedgerUnfit(ServerTrouble.explain("PostgreSQL did not start again", cluster, trouble));
            }
        }
    }

    /// Durable by force, and silent about what it holds: its log must not repeat rows or parameters.
    private static String options(int port) {
        return "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=on"
                + " -c synchronous_commit=on -c full_page_writes=on -c max_connections=100 -c log_checkpoints=off"
                + " -c log_error_verbosity=terse -c log_min_error_statement=panic -c log_parameter_max_length_on_error=0";
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void stop() throws IOException {
        for (String mode : new String[] {"fast", "immediate"}) {
            ServerPrograms.Ended ended =
                    programs.run("pg_ctl", "-D", cluster.toString(), "-m", mode, "-w", "-t", "20", "stop");
            if (ended.status() == 0 || PostmasterFile.in(cluster).filter(it -> it.serves(cluster)).isEmpty()) {
                return;
            }
        }
        throw new LedgerUnfit("PostgreSQL in " + cluster + " does not stop: end it by hand.");
    }

    private static LedgerUnfit unfit(Path folder, IOException failure) {
        String why = failure instanceof FileSystemException file ? reason(file) : failure.getMessage();
        return new LedgerUnfit(
                ServerTrouble.explain("The embedded PostgreSQL cannot use its folder", folder, String.valueOf(why)),
                failure);
    }

    private static String reason(FileSystemException failure) {
        String reason = failure.getReason();
        return (reason == null ? failure.getClass().getSimpleName() : reason) + ": " + failure.getFile();
    }
}

package dev.latchkey.e2e;

import dev.latchkey.testing.Neighbour;
import dev.latchkey.testing.PostgresProcesses;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One Patroni and the PostgreSQL that it looks after, as processes of their own, no service. Not for several threads.
final class PatroniMember implements AutoCloseable {

    private final Path folder;
    private final String name;
    private final PostgresProcesses postgres;
    private final int port = Neighbour.freePort();
    private final int statusPort = Neighbour.freePort();
    private @Nullable Neighbour patroni;

    /// Makes one that does not run yet.
    PatroniMember(Path folder, String name) {
        this.folder = folder;
        this.name = name;
        this.postgres = new PostgresProcesses(folder.resolve(name));
    }

    String name() {
        return name;
    }

    /// Where its PostgreSQL listens.
    String address() {
        return "127.0.0.1:" + port;
    }

    /// Where its Patroni tells how it is.
    int statusPort() {
        return statusPort;
    }

    /// Starts its Patroni, which starts its PostgreSQL.
    ///
    /// @param etcd where the members agree on their leader
    /// @param programs the folder of PostgreSQL's own programs
    void start(int etcd, Path programs) {
        List<String> command = new ArrayList<>(List.of("patroni"));
        if (System.getProperty("user.name").equals("root")) {
            // PostgreSQL does not run as root: there, nobody is.
            command.addAll(0, List.of("unshare", "-U"));
        }
        postgres.forget();
        patroni = Neighbour.start(folder, name, configuration(etcd, programs), statusPort, command);
    }

    /// Patroni before 4 holds to ten seconds; later ones make it twenty.
    private String configuration(int etcd, Path programs) {
        return """
                scope: latchkey
                name: %1$s
                restapi: { listen: "127.0.0.1:%2$d", connect_address: "127.0.0.1:%2$d" }
                etcd3: { host: "127.0.0.1:%3$d" }
                bootstrap:
                  dcs:
                    ttl: 10
                    loop_wait: 1
                    retry_timeout: 3
                    synchronous_mode: true
                    synchronous_mode_strict: true
                    postgresql: { use_pg_rewind: true }
                  initdb: [data-checksums, { encoding: UTF8 }, { locale: C }]
                postgresql:
                  listen: "127.0.0.1:%4$d"
                  connect_address: "127.0.0.1:%4$d"
                  data_dir: "%5$s"
                  bin_dir: "%6$s"
                  pgpass: "%5$s.pgpass"
                  authentication:
                    superuser: { username: postgres, password: p }
                    replication: { username: replicator, password: p }
                  pg_hba: ["host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"]
                  parameters: { unix_socket_directories: "", shared_buffers: 32MB }
                """.formatted(name, statusPort, etcd, port, postgres.data(), programs);
    }

    /// SIGKILL of Patroni and PostgreSQL, as a machine dies.
    void kill() {
        if (patroni != null) {
            // First, for it would start the other again.
            patroni.kill();
            patroni = null;
        }
        if (postgres.areThere()) {
            postgres.kill();
        }
    }

    @Override
    public void close() {
        kill();
    }
}

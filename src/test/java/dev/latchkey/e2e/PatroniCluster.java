package dev.latchkey.e2e;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.testing.Neighbour;
import io.restassured.RestAssured;
import io.restassured.path.json.JsonPath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Three PostgreSQL servers under Debian's Patroni, which agree by etcd who leads them, in strict synchronous mode. Its test
/// is skipped where the machine lacks one of the programs. Not for several threads.
final class PatroniCluster implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String REMEDY = "Debian's patroni, python3-etcd, etcd-server and postgresql";

    private final Path programs;
    private final Neighbour etcd;
    private final List<PatroniMember> members;

    private PatroniCluster(Path folder, Path programs) {
        this.programs = programs;
        int port = Neighbour.freePort();
        this.etcd = Neighbour.start(folder, "etcd", etcd(folder, port, Neighbour.freePort()), port,
                List.of("etcd", "--config-file"));
        this.members = Stream.of("one", "two", "three").map(name -> new PatroniMember(folder, name)).toList();
    }

    /// Starts it, and waits until two follow one of them.
    static PatroniCluster start(Path folder) {
        Tool.needed("patroni", REMEDY);
        Tool.needed("etcd", REMEDY);
        Tool.python("etcd, psycopg2", REMEDY);
        Optional<Path> programs = programs();
        assumeTrue(programs.isPresent(), () -> "SKIPPED: no pg_basebackup and pg_rewind; install " + REMEDY);
        PatroniCluster cluster = new PatroniCluster(folder, programs.orElseThrow());
        try {
            cluster.members.parallelStream().forEach(cluster::start);
            cluster.awaitWhole();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /// PostgreSQL's own, the newest; Debian keeps them off the path.
    private static Optional<Path> programs() {
        Path versions = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(versions)) {
            return Optional.empty();
        }
        try (Stream<Path> all = Files.list(versions)) {
            return all.map(version -> version.resolve("bin"))
                    .filter(folder -> Stream.of("postgres", "pg_basebackup", "pg_rewind")
                            .allMatch(program -> Files.isExecutable(folder.resolve(program))))
                    .max(Comparator.naturalOrder());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Patroni speaks JSON to it: told by a file, etcd 3.4 does not by itself.
    private static String etcd(Path folder, int port, int peers) {
        return """
                name: alone
                data-dir: "%1$s/etcd"
                log-level: warn
                enable-grpc-gateway: true
                listen-client-urls: "http://127.0.0.1:%2$d"
                advertise-client-urls: "http://127.0.0.1:%2$d"
                listen-peer-urls: "http://127.0.0.1:%3$d"
                initial-advertise-peer-urls: "http://127.0.0.1:%3$d"
                initial-cluster: "alone=http://127.0.0.1:%3$d"
                """.formatted(folder, port, peers);
    }

    /// Starts that one, for the first time or again.
    void start(PatroniMember member) {
        member.start(etcd.port(), programs);
    }

    /// The one that leads, as its Patroni says and no other's does.
    Optional<PatroniMember> leader() {
        List<PatroniMember> leaders = members.stream().filter(PatroniCluster::leads).toList();
        return leaders.size() == 1 ? Optional.of(leaders.getFirst()) : Optional.empty();
    }

    private static boolean leads(PatroniMember member) {
        try {
            return RestAssured.get("http://127.0.0.1:" + member.statusPort() + "/primary").statusCode() == 200;
        } catch (Exception e) {
            // RestAssured throws what its client does: this one is not there.
            return false;
        }
    }

    /// Waits until two follow the leader on its timeline, one of them synchronously.
    void awaitWhole() {
        await().atMost(PATIENCE).until(() -> leader().filter(PatroniCluster::isWhole).isPresent());
    }

    private static boolean isWhole(PatroniMember leader) {
        JsonPath said = RestAssured.get("http://127.0.0.1:" + leader.statusPort() + "/cluster").jsonPath();
        List<Map<String, Object>> members = said.getList("members");
        Map<String, Long> roles = members.stream()
                .collect(Collectors.groupingBy(member -> String.valueOf(member.get("role")), Collectors.counting()));
        return roles.equals(Map.of("leader", 1L, "sync_standby", 1L, "replica", 1L))
                && members.stream().map(member -> member.get("timeline")).distinct().count() == 1;
    }

    /// How to reach a database whichever of them leads, user in it.
    String url(String database) {
        return "jdbc:postgresql://" + members.stream().map(PatroniMember::address).collect(Collectors.joining(","))
                + "/" + database + "?user=postgres";
    }

    @Override
    public void close() {
        members.forEach(PatroniMember::close);
        etcd.close();
    }
}

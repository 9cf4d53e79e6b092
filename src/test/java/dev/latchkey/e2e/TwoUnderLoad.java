package dev.latchkey.e2e;

import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.protocol.DownstreamKey;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.TestPostgres;
import dev.latchkey.torture.Caller;
import dev.latchkey.torture.Ending;
import dev.latchkey.torture.Endings;
import dev.latchkey.torture.Load;
import dev.latchkey.torture.Mix;
import dev.latchkey.torture.Witness;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/// Two replicas on one ledger, called with many keys and each other's repeats while things happen to them. Callers go where
/// the replicas are. One thread, but for the load.
final class TwoUnderLoad implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path folder;
    private final TestPostgres database = TestPostgres.create();
    private final RawDownstream downstream;
    private final String settings;
    private final List<Replica> replicas = new CopyOnWriteArrayList<>();
    private final List<URI> called = new CopyOnWriteArrayList<>();
    private final Caller caller;
    private final Witness witness = new Witness();
    private final Load load;

    /// @param path where callers call
    /// @param patience how long they wait for an answer
    TwoUnderLoad(Path folder, String path, Duration patience, Mix mix, long seed) throws IOException {
        this.folder = folder;
        this.downstream = RawDownstream.start();
        this.settings = CrashSettings.of(database, downstream.url(), "2s", "3s");
        this.caller = new Caller(new SystemClocks(), Client.ALICE.token(), patience);
        this.load = new Load(() -> called, path, caller, witness, mix, seed, new SystemClocks());
        for (int i = 0; i < 2; i++) {
            replicas.add(start());
            called.add(url(replicas.get(i)));
        }
    }

    Load load() {
        return load;
    }

    RawDownstream downstream() {
        return downstream;
    }

    TestPostgres database() {
        return database;
    }

    Replica replica(int which) {
        return replicas.get(which);
    }

    /// From now on callers call only this one.
    void callOnly(int which) {
        called.replaceAll(_ -> url(replicas.get(which)));
    }

    /// `kill -9`, and at once another in its place, on another port. Callers are refused meanwhile.
    void killAndRestart(int which) {
        replicas.get(which).program().kill();
        replicas.set(which, start());
        called.set(which, url(replicas.get(which)));
    }

    /// How often each kind of answer was heard.
    Map<String, Long> kinds() {
        return witness.kinds();
    }

    /// The forwards that reached the downstream.
    List<Received> forwards() {
        return downstream.received(request -> request.method().equals("POST"));
    }

    /// Waits until no key is claimed, repeats every key, and says what is not true.
    List<String> audit() throws IOException, InterruptedException {
        awaitNone("state = 0");
        load.repeatAll();
        awaitNone("state = 0");
        Map<String, Integer> effects = forwards().stream()
                .collect(Collectors.toMap(Received::key, each -> 1, Integer::sum));
        return witness.audit(
                key -> effects.getOrDefault(
                        DownstreamKey.derive(Client.ALICE.wireName(), IdempotencyKey.of(key), 0), 0),
                endings());
    }

    /// How the keys ended, as the second replica says.
    Map<String, Ending> endings() throws IOException, InterruptedException {
        return Endings.read(caller, url(replicas.getLast()));
    }

    /// Waits until the ledger has no such entry.
    void awaitNone(String condition) {
        await().atMost(PATIENCE).until(() -> count("select count(*) from entry where " + condition) == 0);
    }

    long count(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private Replica start() {
        return Replica.start(folder, settings, "-Xmx256m");
    }

    private static URI url(Replica replica) {
        return URI.create("http://127.0.0.1:" + replica.port());
    }

    @Override
    public void close() throws IOException {
        replicas.forEach(Replica::close);
        caller.close();
        downstream.close();
        database.close();
    }
}

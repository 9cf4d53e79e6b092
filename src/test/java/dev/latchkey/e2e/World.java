package dev.latchkey.e2e;

import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/// What most suites share, because starting it costs seconds: one database, one downstream, and two gateways on one
/// ledger. Tests keep out of each other's way by taking keys and paths of their own.
final class World implements AutoCloseable {

    /// For a busy machine; a quiet one never needs it.
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final TestPostgres database;
    private final RawDownstream downstream;
    private RawDownstream flaky;
    private final List<Replica> started = new ArrayList<>();
    private boolean broken;
    private @Nullable Replica first;
    private @Nullable Replica second;

    World() {
        Awaitility.setDefaultTimeout(PATIENCE);
        // A downstream's thread that fails late must not fail the test that happens to wait.
        Awaitility.doNotCatchUncaughtExceptionsByDefault();
        try {
            folder = Files.createTempDirectory("latchkey-e2e");
            downstream = RawDownstream.start();
            flaky = RawDownstream.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        database = TestPostgres.create();
    }

    RawDownstream downstream() {
        return downstream;
    }

    /// The downstream behind the route `flaky`.
    synchronized RawDownstream flaky() {
        return flaky;
    }

    /// Stops the downstream behind `flaky` for that time: connections to it are refused.
    synchronized void whileFlakyIsDown(Runnable meanwhile) {
        try {
            int port = flaky.port();
            flaky.close();
            try {
                meanwhile.run();
            } finally {
                flaky = RawDownstream.start(port);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path folder() {
        return folder;
    }

    /// The gateway that most tests call.
    synchronized Replica gateway() {
        if (broken) {
            throw new IllegalStateException("the shared gateway did not start; the first failure says why");
        }
        if (first == null) {
            broken = true;
            first = start(settings());
            broken = false;
        }
        return first;
    }

    /// Another one on the same ledger.
    synchronized Replica secondReplica() {
        if (second == null) {
            gateway();
            second = start(settings());
        }
        return second;
    }

    /// What the shared gateways keep their ledger in.
    TestPostgres database() {
        return database;
    }

    /// The settings of the shared gateways.
    String settings() {
        return Settings.of(ledger(), downstream.url(), flaky.url());
    }

    /// Where the shared gateways' ledger is, as settings say it.
    String ledger() {
        return Settings.ledger(database);
    }

    /// A gateway of a test's own; closed with the world if the test does not.
    synchronized Replica start(String settings, String... javaOptions) {
        Replica replica = Replica.start(folder, settings, javaOptions);
        started.add(replica);
        return replica;
    }

    @Override
    public void close() throws IOException {
        started.forEach(Replica::close);
        downstream.close();
        flaky.close();
        database.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}

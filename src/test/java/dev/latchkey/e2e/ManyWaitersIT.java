package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.testing.Alone;
import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import dev.latchkey.testing.TestPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Ten thousand calls wait on one replica for a hundred keys of another, beside a thousand calls under way, in 512 MiB of
/// heap: no thread and no query for each, and every one has the record.
@Alone
final class ManyWaitersIT {

    private static final int KEYS = 100;
    private static final int WAITING = 10_000;
    private static final int UNDER_WAY = 1_000;
    private static final int HEAP_MEBIBYTES = 512;
    private static final int CONNECTING_AT_ONCE = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration APART = Duration.ofMillis(50);
    private static final Duration STEADY = Duration.ofSeconds(2);

    @TempDir
    private static Path folder;

    private final SystemClocks clocks = new SystemClocks();
    private final Semaphore connecting = new Semaphore(CONNECTING_AT_ONCE);
    private final String mark = Canary.key();

    @Test
    void tenThousandWaitForAHundredKeysOfAnotherReplica() throws Exception {
        try (RawDownstream downstream = RawDownstream.start();
                TestPostgres database = TestPostgres.create();
                Replica holder = start(database, downstream);
                Replica waited = start(database, downstream);
                ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Gate> gates = IntStream.range(0, KEYS).mapToObj(_ -> new Gate()).toList();
            List<Future<Long>> held = new ArrayList<>();
            for (int i = 0; i < KEYS; i++) {
                int key = i;
                downstream.at("/pay/" + key, gates.get(key).before(Step.json(201, "{\"key\":" + key + "}")));
                held.add(calls.submit(() -> call(holder, "/payments/" + key, "key-" + key, false)));
            }
            Gate underWay = new Gate();
            downstream.always("/pay/under-way", underWay.before(Step.json(201, "{}")));
            List<Future<Long>> own = new ArrayList<>();
            for (int i = 0; i < UNDER_WAY; i++) {
                String key = "own-" + i;
                own.add(calls.submit(() -> call(waited, "/payments/under-way", key, false)));
            }
            await().atMost(PATIENCE).until(() -> downstream.received().size() == KEYS + UNDER_WAY);
            List<Future<Long>> waiting = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                int key = i % KEYS;
                waiting.add(calls.submit(() -> call(waited, "/payments/" + key, "key-" + key, true)));
            }
            await().atMost(PATIENCE)
                    .until(() -> Metrics.of(waited).sum("latchkey_calls_waiting") == WAITING);
            assertThat(lookedASecond(waited)).as("queries a second").isLessThanOrEqualTo(50);
            assertThat(Metrics.of(waited).sum("jvm_threads_live_threads")).as("threads").isLessThan(100);
            System.out.printf(
                    "live heap with all of them there: %d MiB of %d%n", Heap.live(waited) >> 20, HEAP_MEBIBYTES);
            for (Gate gate : gates) {
                gate.open();
                clocks.sleep(APART);
            }
            assertThat(medianMillis(waiting, held)).as("the middle one").isLessThan(2_000);
            underWay.open();
            for (Future<Long> each : own) {
                each.get();
            }
            assertThat(downstream.received()).hasSize(KEYS + UNDER_WAY);
        }
    }

    private Replica start(TestPostgres database, RawDownstream downstream) {
        return Replica.start(folder, """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { %s }
                clients: [ { name: alice, token-sha256: %s } ]
                routes:
                  - name: payments
                    prefix: /payments
                    downstream: { url: "%s/pay", timeout: 100s, max-concurrent: 1100 }
                """.formatted(Settings.ledger(database), ALICE.digest(), downstream.url()),
                "-Xmx" + HEAP_MEBIBYTES + "m");
    }

    /// Calls on a connection of its own, and checks the answer.
    ///
    /// @return when its first byte came
    private long call(Replica replica, String target, String key, boolean replayed) throws Exception {
        String request = """
                POST %s HTTP/1.1\r
                Host: gateway\r
                Authorization: Bearer %s\r
                Idempotency-Key: %s-%s\r
                Prefer: wait=50\r
                Connection: close\r
                Content-Type: application/json\r
                Content-Length: 2\r
                \r
                {}""".formatted(target, ALICE.token(), mark, key);
        Socket socket = connect(replica, request);
        try (socket) {
            InputStream in = socket.getInputStream();
            int first = in.read();
            long at = clocks.nanos();
            String answer = (char) first + new String(in.readAllBytes(), StandardCharsets.UTF_8);
            assertThat(answer).startsWith("HTTP/1.1 201 ").contains("Idempotent-Replayed: " + replayed);
            return at;
        }
    }

    private Socket connect(Replica replica, String request) throws IOException, InterruptedException {
        connecting.acquire();
        try {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), replica.port());
            socket.setSoTimeout((int) PATIENCE.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return socket;
        } finally {
            connecting.release();
        }
    }

    private double lookedASecond(Replica replica) throws InterruptedException {
        double before = Metrics.of(replica).sum("latchkey_ledger_seconds_count");
        clocks.sleep(STEADY);
        return (Metrics.of(replica).sum("latchkey_ledger_seconds_count") - before) / STEADY.toSeconds();
    }

    /// How long after the answer to the first call the middle one of the others came. The slowest depend on what else the
    /// machine does, and are printed.
    private static double medianMillis(List<Future<Long>> waiting, List<Future<Long>> held) throws Exception {
        double[] millis = new double[WAITING];
        for (int i = 0; i < WAITING; i++) {
            millis[i] = (waiting.get(i).get() - held.get(i % KEYS).get()) / 1e6;
        }
        Arrays.sort(millis);
        System.out.printf(
                "answered after the record: median %.0f ms, p90 %.0f ms, p99 %.0f ms, most %.0f ms%n",
                millis[WAITING / 2], millis[WAITING * 9 / 10], millis[WAITING * 99 / 100], millis[WAITING - 1]);
        return millis[WAITING / 2];
    }
}

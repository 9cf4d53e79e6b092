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
            Gate underWay = new Gate();
            downstream.always("/pay/under-way", underWay.before(Step.json(201, "{}")));
            List<Future<Long>> own = new ArrayList<>();
            for (int i = 0; i < UNDER_WAY; i++) {
                String key = "own-" + i;
                own.add(calls.submit(() -> call(waited, "/payments/under-way", key, false)));
            }
            await().atMost(PATIENCE).until(() -> downstream.received().size() == UNDER_WAY);
            assertThat(medianMillis(new Pass("cold", downstream, holder, waited, calls))).isLessThan(2_000);
            assertThat(medianMillis(new Pass("warm", downstream, holder, waited, calls))).isLessThan(300);
            underWay.open();
            for (Future<Long> each : own) {
                each.get();
            }
            assertThat(downstream.received()).hasSize(2 * KEYS + UNDER_WAY);
        }
    }

    /// @param name of its keys and paths
    private record Pass(
            String name, RawDownstream downstream, Replica holder, Replica waited, ExecutorService calls) {}

    /// All wait for keys of the other replica, which are recorded one after the other.
    ///
    /// @return how long after the answer to the first call the middle one of the others came. The slowest depend on what
    ///     else the machine does, and are printed
    private double medianMillis(Pass pass) throws Exception {
        List<Gate> gates = IntStream.range(0, KEYS).mapToObj(_ -> new Gate()).toList();
        List<Future<Long>> held = new ArrayList<>();
        for (int i = 0; i < KEYS; i++) {
            String path = "/" + pass.name + "-" + i;
            pass.downstream.at("/pay" + path, gates.get(i).before(Step.json(201, "{}")));
            held.add(pass.calls.submit(() -> call(pass.holder, "/payments" + path, path.substring(1), false)));
        }
        for (int i = 0; i < KEYS; i++) {
            String path = "/pay/" + pass.name + "-" + i;
            await().atMost(PATIENCE).until(() -> pass.downstream.receivedAt(path).size() == 1);
        }
        long began = clocks.nanos();
        double before = asked(pass.waited);
        List<Future<Long>> waiting = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            String path = "/" + pass.name + "-" + i % KEYS;
            waiting.add(pass.calls.submit(() -> call(pass.waited, "/payments" + path, path.substring(1), true)));
        }
        await().atMost(PATIENCE).until(() -> Metrics.of(pass.waited).sum("latchkey_calls_waiting") == WAITING);
        // Of each key's first, a claim.
        double looks = asked(pass.waited) - before - KEYS;
        double seconds = (clocks.nanos() - began) / 1e9;
        System.out.printf("%s: %.0f looks in %.1f s while they come%n", pass.name, looks, seconds);
        assertThat(looks / seconds).as("queries a second while they come").isLessThanOrEqualTo(50);
        before = asked(pass.waited);
        clocks.sleep(STEADY);
        assertThat((asked(pass.waited) - before) / STEADY.toSeconds()).as("queries a second").isLessThanOrEqualTo(50);
        assertThat(Metrics.of(pass.waited).sum("jvm_threads_live_threads")).as("threads").isLessThan(100);
        System.out.printf(
                "%s: live heap with all of them there: %d MiB of %d%n",
                pass.name, Heap.live(pass.waited) >> 20, HEAP_MEBIBYTES);
        for (Gate gate : gates) {
            gate.open();
            clocks.sleep(APART);
        }
        double[] millis = new double[WAITING];
        for (int i = 0; i < WAITING; i++) {
            millis[i] = (waiting.get(i).get() - held.get(i % KEYS).get()) / 1e6;
        }
        Arrays.sort(millis);
        System.out.printf(
                "%s: answered after the record: median %.0f ms, p90 %.0f ms, p99 %.0f ms, most %.0f ms%n",
                pass.name, millis[WAITING / 2], millis[WAITING * 9 / 10], millis[WAITING * 99 / 100],
                millis[WAITING - 1]);
        return millis[WAITING / 2];
    }

    private static double asked(Replica replica) {
        return Metrics.of(replica).sum("latchkey_ledger_seconds_count");
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
}

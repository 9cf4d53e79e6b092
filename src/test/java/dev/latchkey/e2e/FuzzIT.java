package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.testing.Mutation;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import dev.latchkey.testing.TestPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What callers and downstreams send that is nearly right, on sockets, to the packaged program with a small heap: every
/// connection ends, nothing is a fault of the gateway's, nothing takes effect twice, and what was told stays true.
///
/// `-Dlatchkey.fuzz.seconds=N` for longer, each kind; `-Dlatchkey.fuzz.seed=N` for the same choices again.
final class FuzzIT {

    private static final Duration LONG = Duration.ofSeconds(Long.getLong("latchkey.fuzz.seconds", 3));
    private static final long SEED = Long.getLong("latchkey.fuzz.seed", new Random().nextLong());
    private static final int CALLERS = 4;
    private static final int PATIENCE_MILLIS = 20_000;
    private static final Pattern STATUS = Pattern.compile("(?:^|\\n)HTTP/1\\.1 (\\d{3}) ");
    private static final Pattern TOLD = Pattern.compile("(?im)^Idempot[a-z-]+-(?:State|Replayed): (\\S+)");

    private static final String[] WORDS = {
        "\r\n", "\n", "\r", "\0", ":", ": ", " ", "\t", ";", ",", "\"", "\\", "%", "%00", "%2f", "%zz", "/", "//",
        "/..", "?",
        "#", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "PRI * ", "GET ", "POST ", "Host: x\r\n", "Content-Length: 5\r\n",
        "Content-Length: 99999999999999999999\r\n", "Content-Length: -1\r\n", "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: identity\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n",
        "Connection: upgrade\r\n",
        "Upgrade: h2c\r\n", "Idempotency-Key: other\r\n", "Prefer: wait=1\r\n", "Prefer: wait=99999999999\r\n",
        "Content-Encoding: gzip\r\n", "Content-Type: multipart/form-data; boundary=x\r\n", "0\r\n\r\n",
        "ffffffffffffffff\r\n",
        "5;a=\"b\r\n", "\u00e9", "\u00ff", "{", "}", "[", "]", "null", "1e999999999", "\\ud800", "\"a\":1,\"a\":2",
        " 201 ",
        " 100 ", " 101 ", " 204 ", " 304 ", " 999 ", " 000 ", "Set-Cookie: a=b\r\n", "Location: x\r\n"
    };

    private static final String JSON = """
            {"amount":25.50,"currency":"EUR","lines":[{"sku":"a","n":1},{"sku":"b","n":1e2}],"note":"caf\\u00e9",\
            "paid":true,"by":null,"deep":[[[[{"x":-0.0}]]]]}""";

    private static final FuzzAudit AUDIT = new FuzzAudit();

    @TempDir
    private static Path folder;

    private static TestPostgres database;
    private static RawDownstream downstream;
    private static Replica gateway;

    private final SystemClocks clocks = new SystemClocks();

    @BeforeAll
    static void start() throws IOException {
        database = TestPostgres.create();
        downstream = RawDownstream.start();
        gateway = Replica.start(folder, settings(), "-Xmx96m");
        System.out.println("-Dlatchkey.fuzz.seed=" + SEED);
    }

    private static String settings() {
        return """
                listen: { port: 0 }
                management: { port: 0 }
                ledger: { %s, lease-margin: 2s }
                upkeep: { every: 200ms }
                wait: { max: 2s }
                clients: [ { name: alice, token-sha256: %s } ]
                routes:
                  - name: payments
                    prefix: /payments
                    key: optional
                    downstream: { url: "%s/pay", timeout: 2s, key: { value: as-sent } }
                """.formatted(Settings.ledger(database), ALICE.digest(), downstream.url());
    }

    @AfterAll
    static void gatewayIsWellAndAgreesWithItsLedger() throws Exception {
        try (AutoCloseable _ = database; AutoCloseable _ = downstream; AutoCloseable _ = gateway) {
            assertThat(gateway.program().isAlive()).isTrue();
            await().atMost(Duration.ofSeconds(30)).until(
                    () -> gateway.management().get("/operator/entries?state=claimed&limit=1").jsonPath()
                            .getList("entries").isEmpty());
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                Metrics metrics = Metrics.of(gateway);
                assertThat(metrics.sum("latchkey_calls_under_way")).isZero();
                assertThat(metrics.sum("latchkey_forwards_under_way")).isZero();
                assertThat(metrics.sum("latchkey_bodies_held_bytes")).isZero();
                assertThat(metrics.sum("jvm_threads_live_threads")).isLessThan(100);
            });
            assertThat(gateway.program().output()).doesNotContain("\"event\":\"failed\"", "OutOfMemory");
            try (Replica without = Replica.start(folder, settings() + "cache: { size: 0 }\n")) {
                AUDIT.repeat(request -> first(check(send(without, request))), FuzzIT::assertReplayed);
            }
            FuzzAudit.agree(database, downstream.received());
        }
    }

    /// Runs it over and over, in a few threads, each with choices of its own.
    private void fuzz(Turn turn) throws Exception {
        List<Future<Integer>> all = new ArrayList<>();
        long end = clocks.nanos() + LONG.toNanos();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CALLERS; i++) {
                Random random = new Random(SEED + i);
                Mutation mutation = new Mutation(random, WORDS);
                all.add(callers.submit(() -> {
                    int turns = 0;
                    for (; clocks.nanos() < end; turns++) {
                        turn.take(random, mutation);
                    }
                    return turns;
                }));
            }
        }
        int turns = 0;
        for (Future<Integer> each : all) {
            turns += each.get();
        }
        System.out.println(turns + " turns");
        assertThat(turns).isGreaterThan(CALLERS);
    }

    private interface Turn {
        void take(Random random, Mutation mutation) throws IOException;
    }

    @Test
    void requestsEndWithAnAnswerOrAClosedConnection() throws Exception {
        List<String> valid = List.of(
                head("POST", "/payments/fuzz") + field("Idempotency-Key", "KEY") + length(JSON) + JSON,
                head("POST", "/payments/fuzz") + field("Idempotency-Key", "\"KEY\"")
                        + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nT: x\r\n\r\n",
                head("POST", "/payments/fuzz") + length("") + head("GET", "/v1/entries?limit=3") + "\r\n",
                head("PUT", "/payments/fuzz?a=b") + field("Idempotency-Key", "KEY") + field("Expect", "100-continue")
                        + length(JSON) + JSON,
                head("POST", "/v1/batches") + field("Content-Type", "application/x-ndjson")
                        + length(line()) + line(),
                head("POST", "/v1/claims") + field("Idempotency-Key", "KEY") + length("{}") + "{}",
                head("DELETE", "/payments/fuzz") + field("Idempotency-Key", "KEY") + field("Prefer", "wait=1") + "\r\n",
                head("OPTIONS", "/payments/fuzz") + "\r\n");
        fuzz((random, mutation) -> {
            String request = valid.get(random.nextInt(valid.size())).replace("KEY", Canary.key());
            check(send(mutation.of(request)));
        });
    }

    private static String line() {
        return "{\"method\":\"POST\",\"path\":\"/payments/fuzz\",\"key\":\"KEY\",\"body\":{\"a\":1}}\n";
    }

    @Test
    void keysAreRefusedOrKept() throws Exception {
        List<String> forms = List.of(
                "\"KEY\"", "KEY", "\"KEY\";a=1", "\"KEY \\\"quoted\\\" \\\\\"", ":S0VZ:", "?1", "12", "(\"KEY\")",
                "KEY,KEY");
        fuzz((random, mutation) -> {
            String form = forms.get(random.nextInt(forms.size())).replace("KEY", Canary.key());
            byte[] key = mutation.of(form);
            byte[] request =
                    joined(head("POST", "/payments/fuzz") + "Idempotency-Key: ", key, "\r\n" + length("{}") + "{}");
            repeated(request);
        });
    }

    @Test
    void bodiesAreFingerprintedAlike() throws Exception {
        fuzz((random, mutation) -> {
            byte[] body = mutation.of(JSON);
            String head = head("POST", "/payments/fuzz") + field("Idempotency-Key", Canary.key())
                    + field("Content-Type", "application/json") + "Content-Length: " + body.length + "\r\n\r\n";
            byte[] request = joined(head, body, "");
            repeated(request);
        });
    }

    @Test
    void downstreamsMayAnswerAnything() throws Exception {
        List<String> valid = List.of(
                "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nLocation: /x\r\nContent-Length: 2\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
                "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.0 200 OK\r\n\r\nuntil the end", "HTTP/1.1 204 No Content\r\n\r\n",
                "HTTP/1.1 422 No\r\nContent-Length: 3\r\nX-Why: because\r\n\r\nbad",
                "HTTP/1.1 503 Later\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n");
        fuzz((random, mutation) -> {
            String path = "/answers/" + random.nextLong();
            String response = new String(
                    mutation.of(valid.get(random.nextInt(valid.size()))), StandardCharsets.ISO_8859_1);
            downstream.at("/pay" + path, random.nextInt(8) == 0
                    ? Step.rawThenReset(response)
                    : Step.rawThenClose(response));
            byte[] request = (head("POST", "/payments" + path) + field("Idempotency-Key", Canary.key())
                    + length("{}") + "{}").getBytes(StandardCharsets.ISO_8859_1);
            repeated(request);
            assertThat(downstream.receivedAt("/pay" + path)).hasSizeLessThanOrEqualTo(1);
        });
    }

    /// What was recorded is replayed, what is in doubt stays so.
    private static void repeated(byte[] request) throws IOException {
        String first = first(check(send(request)));
        String second = first(check(send(request)));
        boolean refused = first.contains("application/problem+json");
        if (told(first).contains("recorded") && !refused) {
            assertReplayed(request, first, second);
            AUDIT.note(request, first);
        } else if (told(first).contains("in-doubt")) {
            assertThat(told(second)).as(quoted(request)).contains("in-doubt");
        }
    }

    private static void assertReplayed(byte[] request, String first, String later) {
        assertThat(told(later)).as(quoted(request)).containsExactlyInAnyOrder("true", "recorded");
        assertThat(status(later)).isEqualTo(status(first));
        assertThat(body(later)).isEqualTo(body(first));
    }

    /// @return the whole answer
    private static String check(String answer) {
        Matcher statuses = STATUS.matcher(answer);
        while (statuses.find()) {
            assertThat(statuses.group(1)).as(answer).isNotEqualTo("500");
        }
        assertThat(answer).doesNotContain("internal-error");
        if (!answer.isEmpty()) {
            assertThat(answer).startsWith("HTTP/1.1 ");
        }
        return answer;
    }

    private static List<String> told(String answer) {
        return TOLD.matcher(answer).results().map(it -> it.group(1)).toList();
    }

    private static String status(String answer) {
        return answer.substring(0, Math.min(answer.length(), "HTTP/1.1 200".length()));
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 1);
    }

    /// What was changed may have become two requests.
    private static String first(String answers) {
        int next = answers.indexOf("HTTP/1.1 ", 1);
        return next < 0 ? answers : answers.substring(0, next);
    }

    /// Sends it, says that nothing more comes, and reads to the end, which must come by itself.
    private static String send(byte[] bytes) throws IOException {
        return send(gateway, bytes);
    }

    private static String send(Replica to, byte[] bytes) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), to.port())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            try {
                socket.getOutputStream().write(bytes);
                socket.shutdownOutput();
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            } catch (SocketTimeoutException e) {
                throw new AssertionError("neither answered nor closed: " + quoted(bytes), e);
            } catch (IOException e) {
                // Closed before it had all of it: what it answered is lost with the connection.
                return "";
            }
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "\n" + quoted(bytes), e);
        }
    }

    private static String quoted(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        return text.substring(0, Math.min(2_000, text.length())).replace("\r", "\\r").replace("\n", "\\n");
    }

    private static String head(String method, String target) {
        return method + " " + target + " HTTP/1.1\r\nHost: gateway\r\nAuthorization: Bearer " + ALICE.token() + "\r\n";
    }

    private static String field(String name, String value) {
        return name + ": " + value + "\r\n";
    }

    private static String length(String body) {
        return "Content-Length: " + body.length() + "\r\n\r\n";
    }

    private static byte[] joined(String before, byte[] middle, String after) {
        byte[] start = before.getBytes(StandardCharsets.ISO_8859_1);
        byte[] end = after.getBytes(StandardCharsets.ISO_8859_1);
        byte[] all = new byte[start.length + middle.length + end.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(middle, 0, all, start.length, middle.length);
        System.arraycopy(end, 0, all, start.length + middle.length, end.length);
        return all;
    }
}

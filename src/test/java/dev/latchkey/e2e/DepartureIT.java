package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A caller or a gateway leaves, and what is under way is finished.
@EndToEnd
final class DepartureIT {

    private final World world;
    private final RawDownstream downstream;

    DepartureIT(World world) {
        this.world = world;
        downstream = world.downstream();
    }

    @Test
    void callerThatHangsUpCancelsNothing() throws Exception {
        String key = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/hung-up", gate.before(Step.json(201, "{\"done\":true}")));
        byte[] body = "{}".getBytes(StandardCharsets.US_ASCII);
        try (RawCall call = RawCall.to(world.gateway())) {
            call.send(
                    "POST", "/payments/hung-up", "Authorization: Bearer " + ALICE.token(),
                    "Idempotency-Key: " + key, "Content-Type: application/json", "Content-Length: 2")
                    .write(body);
            gate.awaitReached();
        }
        gate.open();
        await().until(() -> state(world.gateway(), key).equals("recorded"));
        Response again = world.gateway().keyed(ALICE, key).body("{}").post("/payments/hung-up");
        assertThat(Expect.replayed(again, 201).asString()).isEqualTo("{\"done\":true}");
        assertThat(downstream.receivedAt("/pay/hung-up")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"TERM", "INT"})
    void drainFinishesWhatIsUnderWayAndRefusesTheRest(String signal) throws Exception {
        assumeTrue(signal.equals("TERM") || !ignoresInterrupts(), "SKIPPED: the tests were started to ignore SIGINT");
        Replica leaving = world.start(world.settings());
        String key = Canary.key();
        String late = Canary.key();
        Gate gate = new Gate();
        downstream.at("/pay/draining-by-" + signal, gate.before(Step.json(201, "{}")));
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> underWay =
                    calls.submit(() -> leaving.keyed(ALICE, key).body("{}").post("/payments/draining-by-" + signal));
            gate.awaitReached();
            assertThat(leaving.management().get("/health/ready").statusCode()).isEqualTo(200);
            leaving.program().signal(signal);
            await().until(() -> leaving.management().get("/health/ready").statusCode() == 503);
            await().until(() -> leaving.keyed(ALICE, late).body("{}").post("/payments/late").statusCode() == 503);
            Response refused = leaving.keyed(ALICE, late).body("{}").post("/payments/late");
            Expect.refusedForNow(refused, 503, "draining");
            assertThat(refused.header("Connection")).isEqualToIgnoringCase("close");
            gate.open();
            Expect.fresh(underWay.get(), 201);
        }
        assertThat(leaving.program().awaitExit()).isZero();
    }

    /// As whatever a shell starts in the background does, and what that starts.
    private static boolean ignoresInterrupts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring("SigIgn:".length()).strip(), 16) & 2) != 0);
    }

    private static String state(Replica replica, String key) {
        Response entry = replica.as(ALICE).header("Idempotency-Key", key).get("/v1/entry");
        return entry.statusCode() == 404 ? "none" : String.valueOf(entry.jsonPath().getString("state"));
    }
}

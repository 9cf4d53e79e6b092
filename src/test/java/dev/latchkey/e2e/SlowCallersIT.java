package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static dev.latchkey.e2e.Client.BOB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Calm;
import dev.latchkey.testing.Step;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// A thousand callers who send or read one byte a second, beside a healthy one.
@Calm
@EndToEnd
final class SlowCallersIT {

    private static final int EACH = 250;
    private static final int CALLS = 600;
    private static final int LARGE = 1 << 20;
    /// What else the machine does in either half of a round is not theirs: one round that holds will do.
    private static final int ROUNDS = 5;

    private final World world;

    SlowCallersIT(World world) {
        this.world = world;
    }

    @Test
    void thousandSlowCallersDoNotSlowAHealthyOneDown() throws Exception {
        world.downstream().at("/pay/large", Step.reply(201).body(new byte[LARGE]));
        String recorded = Canary.key();
        // So long that none of them is ended before all is measured, however busy the machine.
        String settings = "limits: { caller-time: 10m }\n" + world.settings();
        try (Replica gateway = world.start(settings); HttpClient healthy = HttpClient.newHttpClient()) {
            Expect.fresh(gateway.keyed(BOB, recorded).body("{}").post("/payments/large"), 201);
            measure(gateway, healthy);
            double least = Double.MAX_VALUE;
            for (int round = 0; round < ROUNDS && least > 2; round++) {
                least = Math.min(least, besideToAlone(gateway, healthy, recorded));
            }
            assertThat(least).isLessThanOrEqualTo(2);
        }
    }

    /// How many times as long the healthy one waits beside the slow ones as alone.
    private static double besideToAlone(Replica gateway, HttpClient healthy, String recorded) throws Exception {
        double alone = measure(gateway, healthy);
        long threads = threads(gateway);
        try (SlowCallers slow = SlowCallers.begin(gateway, BOB, EACH, recorded)) {
            // While they all come at once.
            measure(gateway, healthy);
            double beside = measure(gateway, healthy);
            long more = threads(gateway) - threads;
            System.out.printf(
                    "slow callers: p99 %.2f ms alone, %.2f ms beside %d slow connections; %+d threads%n", alone,
                    beside, slow.connected(), more);
            assertThat(slow.connected()).isEqualTo(4L * EACH);
            assertThat(more).isLessThanOrEqualTo(20);
            return beside / alone;
        }
    }

    /// What 99 in a hundred calls take at most, in milliseconds: each a first call, one after the other.
    private static double measure(Replica gateway, HttpClient healthy) throws Exception {
        double[] millis = new double[CALLS];
        for (int i = 0; i < CALLS; i++) {
            HttpRequest call = HttpRequest
                    .newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + "/payments/healthy"))
                    .version(HttpClient.Version.HTTP_1_1)
                    .header("Authorization", "Bearer " + ALICE.token())
                    .header("Idempotency-Key", Canary.key())
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"amount\":" + i + "}"))
                    .build();
            long start = System.nanoTime();
            int status = healthy.send(call, HttpResponse.BodyHandlers.ofString()).statusCode();
            millis[i] = (System.nanoTime() - start) / 1e6;
            assertThat(status).isEqualTo(201);
        }
        Arrays.sort(millis);
        return millis[CALLS * 99 / 100];
    }

    private static long threads(Replica gateway) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + gateway.program().pid() + "/status")).stream()
                .filter(line -> line.startsWith("Threads:"))
                .mapToLong(line -> Long.parseLong(line.substring("Threads:".length()).strip()))
                .sum();
    }
}

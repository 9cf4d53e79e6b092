package dev.latchkey.downstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// What the kernel holds of a killed process's request dies with the process: it must not be delivered when the downstream
/// has time again, after the key was settled.
class KilledSenderIT {

    private static final int MORE_THAN_ALL_BUFFERS = 16 * 1024 * 1024;

    @Test
    void requestOfAKilledProcessIsReset() throws Exception {
        CompletableFuture<Boolean> reset = new CompletableFuture<>();
        Gate gate = new Gate();
        try (RawDownstream downstream = RawDownstream.start()) {
            downstream.at("/a", Step.early(gate.before((_, wire) -> reset.complete(wire.awaitPeerClose()))));
            Process sender = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-cp",
                    System.getProperty("java.class.path"),
                    KilledSenderIT.class.getName(),
                    downstream.url().toString())
                    .inheritIO()
                    .start();
            try {
                gate.awaitReached();
            } finally {
                sender.destroyForcibly().waitFor();
            }
            gate.open();

            assertThat(reset.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    /// The process that is killed.
    static void main(String[] args) {
        Harness.ShiftedClocks clocks = new Harness.ShiftedClocks();
        try (Watchdog watchdog = new Watchdog();
                StrictClient client =
                        new StrictClient(Harness.settings(URI.create(args[0]), 1, false), watchdog, clocks)) {
            client.send(
                    Harness.forward("POST", "/a", new byte[MORE_THAN_ALL_BUFFERS]),
                    Harness.open(clocks),
                    Harness.PATIENCE,
                    new Harness.Spill());
        }
    }
}

package dev.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Commands that read a file, and the process itself.
class CommandsIT {

    @TempDir
    private Path folder;

    private final FakeProgram program = new FakeProgram();

    @Test
    void checkSaysWhatTheSettingsComeTo() throws IOException {
        Path file = write("""
                ledger: { data-dir: data, lease-margin: 10s }
                routes:
                  - { name: payments, prefix: /payments, downstream: { url: "http://p", timeout: 2s } }
                """);
        Typed typed = Typed.run("check", "--config", file.toString());
        assertThat(typed.status()).isZero();
        assertThat(typed.err()).isEmpty();
        assertThat(typed.out())
                .startsWith(file + ": no problems.")
                .contains("/payments -> http://p, a claim holds 12s, sending begins within 2s of it");
    }

    @Test
    void checkPrintsEveryProblemWithItsLine() throws IOException {
        Path file = write("listen: { port: x }\nroutes:\n  - { name: a }\n");
        Typed typed = Typed.run("check", "--config", file.toString());
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err().lines()).hasSize(5).satisfies(lines -> {
            assertThat(lines.get(0)).startsWith(file + ":1: listen.port: ");
            assertThat(lines.get(1)).startsWith(file + ":1: ledger: no ledger is named");
            assertThat(lines.get(2)).startsWith(file + ":3: routes[0].prefix: ");
            assertThat(lines.get(3)).startsWith(file + ":3: routes[0].downstream.url: ");
            assertThat(lines.get(4)).isEqualTo("4 problems; nothing was started.");
        });
    }

    @Test
    void serveNeedsALedger() throws IOException {
        Typed typed = Typed.run(program, Map.of(), "serve", "--config", write("routes: []\n").toString());
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains("no ledger is named; write ledger.url");
        assertThat(program.asked).isEmpty();
    }

    @Test
    void serveNeedsClientsBeyondLoopback() throws IOException {
        Path file = write("ledger: { data-dir: d }\nlisten: { host: 0.0.0.0 }\n");
        Typed typed = Typed.run(program, Map.of(), "serve", "--config", file.toString());
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains("clients: without clients anybody who reaches 0.0.0.0 could call");
        assertThat(program.asked).isEmpty();
    }

    @Test
    void serveRunsUntilTheSignal() throws IOException {
        Path file = write("ledger: { data-dir: d }\n");
        Typed typed = Typed.run(program, Map.of("LATCHKEY_CONFIG", file.toString()), "serve");
        assertThat(typed.err()).isEmpty();
        assertThat(typed.status()).isZero();
        assertThat(program.asked).containsExactly("gateway");
        assertThat(program.gateway.told).startsWith("drain", "close");
    }

    /// The line that the image and service managers type goes past picocli; the other one does not.
    @ParameterizedTest
    @ValueSource(strings = {"{}", "ledgr: 1", "ledger: { data-dir: d }"})
    void serveFailsInTheSameWordsHoweverItIsTyped(String yaml) throws IOException {
        Path file = write(yaml + "\n");
        for (RuntimeException trouble : List.of(
                new StartFailure("The ledger is out of reach: start it."), new IllegalStateException("canary"),
                new IllegalStateException(new BindException("Failed to bind to /127.0.0.1:1")))) {
            program.troubles.put("gateway", trouble);
            Typed shortcut = Typed.run(program, Map.of(), "serve", "--config", file.toString());
            assertThat(shortcut).isEqualTo(Typed.run(program, Map.of(), "serve", "--config=" + file));
            assertThat(shortcut.status()).isPositive();
            assertThat(shortcut.err()).isNotBlank();
        }
    }

    @Test
    void serveMissesItsFileInTheSameWordsHoweverItIsTyped() {
        Path file = folder.resolve("absent.yaml");
        Typed shortcut = Typed.run("serve", "--config", file.toString());
        assertThat(shortcut).isEqualTo(Typed.run("serve", "--config=" + file));
        assertThat(shortcut.status()).isEqualTo(2);
        assertThat(shortcut.err()).startsWith(file + ": the file does not exist");
    }

    @Test
    void migrateSaysThatItIsDone() throws IOException {
        Path file = write("ledger: { data-dir: d }\n");
        Typed typed = Typed.run(program, Map.of(), "migrate", "--config", file.toString());
        assertThat(typed.status()).isZero();
        assertThat(typed.out()).contains("up to date");
        assertThat(program.asked).containsExactly("migrate");
    }

    @Test
    void aFileThatDoesNotExistIsWrongSettings() {
        Path file = folder.resolve("absent.yaml");
        Typed typed = Typed.run("check", "--config", file.toString());
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).startsWith(file + ": the file does not exist");
    }

    @Test
    void theProcessEndsCleanlyOnSigterm() throws Exception {
        Path out = folder.resolve("out");
        Process sandbox = start(out, "sandbox", "--port", "0");
        try {
            await().atMost(30, TimeUnit.SECONDS)
                    .until(() -> Files.readString(out).contains("ready on http://127.0.0.1:"));
            sandbox.destroy();
            assertThat(sandbox.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(sandbox.exitValue()).isZero();
        } finally {
            sandbox.destroyForcibly();
        }
    }

    @Test
    void theProcessSaysWhatIsWrongAndExitsWith2() throws Exception {
        Path out = folder.resolve("out");
        Process check = start(out, "check", "--config", write("ledgr: 1\n").toString());
        assertThat(check.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(check.exitValue()).isEqualTo(2);
        assertThat(Files.readString(out)).contains("did you mean ledger?").doesNotContain("\tat ", "Exception");
    }

    private static Process start(Path out, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "dev.latchkey.Main"));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();
    }

    private Path write(String yaml) throws IOException {
        return Files.writeString(folder.resolve("latchkey.yaml"), yaml);
    }
}

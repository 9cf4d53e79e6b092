package dev.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.config.DownstreamKeySettings;
import dev.latchkey.config.LedgerPlace;
import dev.latchkey.config.Listen;
import dev.latchkey.config.Settings;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CliTest {

    private static final String SANDBOX = "sandbox 127.0.0.1:8081";

    private final FakeProgram program = new FakeProgram();

    @Test
    void helpNamesEveryCommand() {
        Typed typed = Typed.run("--help");
        assertThat(typed.status()).isZero();
        assertThat(typed.out()).contains("demo", "serve", "check", "migrate", "sandbox", "entries", "verdict",
                "torture", "key", "Exit status: 0 clean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "serve", "check", "migrate", "sandbox", "entries", "verdict", "torture", "key"})
    void eachCommandHelpsWithAnExample(String command) {
        for (String[] args : new String[][] {{command, "--help"}, {"help", command}}) {
            Typed typed = Typed.run(args);
            assertThat(typed.status()).isZero();
            assertThat(typed.out()).contains("Example:  latchkey " + command);
        }
    }

    @Test
    void versionIsTold() {
        Typed typed = Typed.run("--version");
        assertThat(typed.status()).isZero();
        assertThat(typed.out()).startsWith("latchkey ").contains("on Java 2");
    }

    @Test
    void noCommandIsWrongUsage() {
        Typed typed = Typed.run();
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains("Usage: latchkey");
    }

    @Test
    void aMistypedCommandIsAnsweredWithTheNearest() {
        Typed typed = Typed.run("serv");
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains("serve", "See latchkey --help.");
    }

    @Test
    void anUnknownOptionIsWrongUsage() {
        Typed typed = Typed.run("serve", "--port", "1");
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains("--port", "See latchkey serve --help.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "check", "migrate", "torture"})
    void settingsMustBeNamed(String command) {
        Typed typed = Typed.run(command);
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains("give --config FILE, or set LATCHKEY_CONFIG");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "http"})
    void aPortIsANumber(String port) {
        assertThat(Typed.run("sandbox", "--port", port).status()).isEqualTo(2);
        assertThat(Typed.run("demo", "--sandbox-port", port).status()).isEqualTo(2);
        assertThat(Typed.run("demo", "--port", port).status()).isEqualTo(2);
    }

    @Test
    void lineOfTheImageNeedsNoParser() {
        assertThat(Serving.settings("serve", "--config", "/etc/latchkey/latchkey.yaml"))
                .isEqualTo(Path.of("/etc/latchkey/latchkey.yaml"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "serve", "serve --config", "serve --config=f", "serve --config f -h",
        "check --config f", "serve --confg f", "serve --config -h", "serve --config @f", "serve --config \0"})
    void anyOtherLineIsParsed(String line) {
        assertThat(Serving.settings(line.split(" "))).isNull();
        assertThat(Serving.settings("serve", "--config", "")).isNull();
    }

    @Test
    void sandboxRunsOn8081UntilTheSignal() {
        Typed typed = Typed.run(program, Map.of(), "sandbox");
        assertThat(typed.status()).isZero();
        assertThat(typed.out()).contains("http://127.0.0.1:8081");
        assertThat(program.asked).containsExactly("sandbox 127.0.0.1:8081", "sandbox closed");
    }

    @Test
    void demoRunsWhereTheReferenceSays() {
        Typed typed = Typed.run(program, Map.of(), "demo");
        assertThat(typed.err()).isEmpty();
        assertThat(typed.status()).isZero();
        assertThat(program.asked).containsExactly("sandbox 127.0.0.1:8081", "gateway", "sandbox closed");
        Settings settings = started();
        assertThat(settings.listen()).isEqualTo(new Listen("127.0.0.1", 8080));
        assertThat(settings.management()).isEqualTo(new Listen("127.0.0.1", 9090));
        assertThat(settings.ledger().place()).isEqualTo(new LedgerPlace.Embedded(Path.of(".latchkey/postgres")));
        assertThat(settings.routes()).satisfiesExactly(
                payments -> {
                    assertThat(payments.prefix()).isEqualTo("/payments");
                    assertThat(payments.downstream().url()).hasToString("http://127.0.0.1:8081/payments");
                    assertThat(payments.downstream().deduplicates()).isEqualTo(Duration.ofHours(24));
                },
                notifications -> {
                    assertThat(notifications.prefix()).isEqualTo("/notifications");
                    assertThat(notifications.downstream().url()).hasToString("http://127.0.0.1:8081/notifications");
                    assertThat(notifications.downstream().key().value()).isEqualTo(DownstreamKeySettings.Value.NONE);
                });
    }

    @Test
    void demoSaysWhatRunsWhereAndWhatToTry() {
        assertThat(Typed.run(program, Map.of(), "demo").out())
                .contains("http://127.0.0.1:18080 ", "http://127.0.0.1:19090 ", "http://127.0.0.1:8081 ")
                .contains("curl -i http://127.0.0.1:18080/payments", "curl http://127.0.0.1:8081/effects")
                .contains(".latchkey/postgres");
    }

    @Test
    void demoMovesByOptionsAndVariables() {
        Typed.run(
                program,
                Map.of("LATCHKEY_PORT", "1", "LATCHKEY_MANAGEMENT_PORT", "0", "LATCHKEY_SANDBOX_PORT", "7"),
                "demo", "--port", "2", "--data-dir", "elsewhere");
        Settings settings = started();
        assertThat(settings.listen().port()).isEqualTo(2);
        assertThat(settings.management().port()).isZero();
        assertThat(settings.ledger().place()).isEqualTo(new LedgerPlace.Embedded(Path.of("elsewhere")));
        assertThat(settings.routes().getFirst().downstream().url()).hasToString("http://127.0.0.1:7/payments");
    }

    @Test
    void demoTakesAnotherPortForItsSandboxWhereThatIsTaken() {
        program.troubles.put(
                SANDBOX, new IllegalStateException(new BindException("Address already in use")));
        Typed typed = Typed.run(program, Map.of(), "demo");
        assertThat(typed.status()).isZero();
        assertThat(started().routes().getFirst().downstream().url()).hasToString("http://127.0.0.1:45678/payments");
    }

    @Test
    void demoEndsItsSandboxWhenTheGatewayCannotStart() {
        program.troubles.put("gateway", new StartFailure("No."));
        Typed typed = Typed.run(program, Map.of(), "demo");
        assertThat(typed).isEqualTo(new Typed(1, "", "No." + System.lineSeparator()));
        assertThat(program.asked).endsWith("sandbox closed");
    }

    @Test
    void whatCanBeExpectedToFailIsSaidInASentence() {
        program.troubles.put(SANDBOX, new StartFailure("The ledger is out of reach: start it."));
        assertThat(Typed.run(program, Map.of(), "sandbox"))
                .isEqualTo(new Typed(1, "", "The ledger is out of reach: start it." + System.lineSeparator()));
    }

    @Test
    void aTakenPortIsNamed() {
        program.troubles.put(SANDBOX, new IllegalStateException(
                new IOException("Failed to bind to /127.0.0.1:8081", new BindException("Address already in use"))));
        Typed typed = Typed.run(program, Map.of(), "sandbox");
        assertThat(typed.status()).isEqualTo(1);
        assertThat(typed.err()).startsWith("127.0.0.1:8081 cannot be listened on").hasLineCount(1);
    }

    @Test
    void anythingElseIsSaidWithoutAStackTraceOrItsMessage() {
        program.troubles.put(SANDBOX, new IllegalStateException("canary"));
        Typed typed = Typed.run(program, Map.of(), "sandbox");
        assertThat(typed.status()).isEqualTo(1);
        assertThat(typed.err()).contains("IllegalStateException").doesNotContain("canary").hasLineCount(1);
    }

    private Settings started() {
        return Objects.requireNonNull(program.settings);
    }
}

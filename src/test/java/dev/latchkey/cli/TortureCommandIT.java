package dev.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is refused before the first call, against a server that plays the downstream. Nothing listens where the gateway is
/// said to be, and the load ends at once.
class TortureCommandIT {

    private static final String SANDBOX = "{\"payments\":{},\"notifications\":{},\"total\":3,\"forgotten\":0}";

    @TempDir
    private Path folder;

    private final List<String> asked = new CopyOnWriteArrayList<>();
    private String effects = SANDBOX;
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            byte[] answer = effects.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "{\"payments\":[],\"notifications\":{},\"total\":3,\"forgotten\":0}", "<html>"})
    void whatIsNoSandboxIsNeverCalled(String page) throws IOException {
        effects = page;
        Typed typed = torture(route("timeout: 1s"));
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err())
                .contains("The route mail cannot be tortured: its downstream does not answer as a sandbox");
        assertThat(asked).containsExactly("GET /effects");
    }

    @Test
    void everyRouteSaysWhyItCannotBeTortured() throws IOException {
        String other = "  - { name: other, prefix: /other, downstream: { url: \"http://127.0.0.1:1\" } }\n";
        effects = "{}";
        Typed typed = torture(route("timeout: 1s") + other);
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains("The route mail cannot be", "The route other cannot be");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            deduplicates: 24h | in-doubt: hold                            | two effects would prove nothing
            timeout: 1s       | in-doubt: resend                          | two effects would prove nothing
            timeout: 1s       | retention: { rejection: 1s }              | lets keys go before the audit
            timeout: 1s       | fingerprint: { headers: [sandbox-fault] } | its fingerprint takes Sandbox-Fault in
            """)
    void routeThatWouldProveNothingIsRefused(String downstream, String more, String why) throws IOException {
        Typed typed = torture(route(downstream) + "    " + more + "\n");
        assertThat(typed.status()).as(typed.err()).isEqualTo(2);
        assertThat(typed.err()).contains(why);
        assertThat(asked).containsExactly("GET /effects");
    }

    @Test
    void tokenMustBeAClients() throws IOException {
        String clients = "clients: [{ name: a, token-sha256: " + "0".repeat(64) + " }]\n";
        assertThat(torture(clients + route("timeout: 1s")).err()).contains("give the token of one of them");
        Typed typed = torture(clients + route("timeout: 1s"), "--token", "canary");
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).contains("not that of any client").doesNotContain("canary");
        assertThat(asked).isEmpty();
    }

    @Test
    void gatewayThatSaysNothingIsNotAudited() throws IOException {
        Typed typed = torture(route("timeout: 1s"), "--seed", "7");
        assertThat(typed.status()).isEqualTo(1);
        assertThat(typed.err()).contains("Torturing the route mail of http://127.0.0.1:1 as the client open", "seed 7");
        assertThat(typed.out()).contains("Not audited to the end: no gateway said anything of any key.");
        assertThat(torture(route("timeout: 1s"), "--json").out()).contains("\"verdict\" : \"not-audited\"");
        assertThat(asked).allMatch("GET /effects"::equals);
    }

    @ParameterizedTest
    @CsvSource({"--for,1x", "--for,0s", "--callers,0", "--url,ftp://a", "--route,none", "--seed,x"})
    void wrongUsageIsSaid(String option, String value) throws IOException {
        Typed typed = torture(route("timeout: 1s"), option, value);
        assertThat(typed.status()).isEqualTo(2);
        assertThat(typed.err()).isNotBlank();
        assertThat(asked).isEmpty();
    }

    private String route(String downstream) {
        return """
                routes:
                  - name: mail
                    prefix: /mail
                    downstream: { url: "http://127.0.0.1:%d/notifications", %s }
                """.formatted(server.getAddress().getPort(), downstream);
    }

    private Typed torture(String settings, String... more) throws IOException {
        Path file = Files.writeString(
                folder.resolve("latchkey.yaml"), "listen: { port: 1 }\nledger: { data-dir: d }\n" + settings);
        List<String> args = new ArrayList<>(List.of("torture", "--config", file.toString()));
        args.addAll(List.of(more));
        return Typed.run(new FakeProgram(), Map.of(), args.toArray(String[]::new));
    }
}

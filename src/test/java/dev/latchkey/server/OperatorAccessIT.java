package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.ReplayCache;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.gateway.Verdicts;
import dev.latchkey.telemetry.Metrics;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Who is let in on the management port. What is let in finds the ledger away.
class OperatorAccessIT {

    private static final String ENTRY = "/operator/entries/00000000-0000-4000-8000-000000000000";
    private static final Clocks CLOCKS = new SystemClocks();
    private static final Clients NOBODY = Clients.of(List.of());
    private static final String EXECUTED = "{\"verdict\":\"executed\",\"reason\":\"seen\"}";

    private interface Sending {
        RawClient.Raw by(RawClient client) throws IOException;
    }

    private static RawClient.Raw send(Clients operators, String host, String line, String body, String... headers)
            throws IOException {
        return send(operators, host, client -> client.send(line + " HTTP/1.1", body, headers));
    }

    private static RawClient.Raw send(Clients operators, String host, Sending sending) throws IOException {
        Ledger away = NoLedger.make();
        try (Metrics metrics = new Metrics("test");
                ManagementServer server =
                        ManagementServer.start("127.0.0.1", 0, new ReadyPage(new Drain()), metrics,
                                new SystemClocks(), null)) {
            Verdicts verdicts =
                    new Verdicts(
                            away, Map.of(), Duration.ofMinutes(5), CLOCKS, () -> 7,
                            new ReplayCache(1_000, CLOCKS, metrics));
            server.admit(new OperatorPages(
                    operators, Clients.open(), host, away, entry -> null, verdicts, new ByteBudget(100_000_000)));
            return sending.by(new RawClient(server.port()));
        }
    }

    private static RawClient.Raw verdict(String... headers) throws IOException {
        return send(NOBODY, "127.0.0.1", "POST " + ENTRY + "/verdict", EXECUTED, headers);
    }

    private static RawClient.Raw verdictFrom(String origin, String host) throws IOException {
        return send(NOBODY, "127.0.0.1", client -> client.sendRaw("""
                POST %s/verdict HTTP/1.1
                Host: %s
                Origin: %s
                Connection: close
                Content-Type: application/json; charset=utf-8
                Content-Length: %d

                %s""".formatted(ENTRY, host, origin, EXECUTED.length(), EXECUTED).replace("\n", "\r\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "GET /operator/entries", "GET /operator/doubts", "GET " + ENTRY, "POST " + ENTRY + "/verdict",
        "POST /operator/verdicts", "DELETE " + ENTRY})
    void operatorsNeedTheirToken(String line) throws IOException {
        String body = !line.startsWith("GET") ? EXECUTED : "";
        assertThat(send(RunningServer.twoClients(), "127.0.0.1", line, body).status()).isEqualTo(401);
        RawClient.Raw elsewhere = send(NOBODY, "0.0.0.0", line, body);
        assertThat(elsewhere.status()).isEqualTo(403);
        assertThat(elsewhere.text()).contains("/problems/route-forbidden");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /operator/entries", "GET /operator/doubts", "GET " + ENTRY})
    void anOperatorIsLetIn(String line) throws IOException {
        assertThat(send(RunningServer.twoClients(), "0.0.0.0", line, "", "Latchkey-Token: beta-token").status())
                .isEqualTo(503);
    }

    @ParameterizedTest
    @CsvSource({
        "http://evil.example, 127.0.0.1:9090", "null, 127.0.0.1:9090", "http://evil.example:9090, evil.example:9090",
        "https://127.0.0.1:9090, 127.0.0.1:9090", "http://127.0.0.1:8080, 127.0.0.1:9090"})
    void aWebPageOfAnotherOriginIsRefused(String origin, String host) throws IOException {
        RawClient.Raw answer = verdictFrom(origin, host);
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text()).contains("/problems/route-forbidden");
    }

    @Test
    void whatComesFromThisPortOrFromAProgramIsNot() throws IOException {
        assertThat(verdict("Content-Type: application/json").status()).isEqualTo(503);
        assertThat(verdictFrom("http://localhost:9090", "localhost:9090").status()).isEqualTo(503);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/jsonx"})
    void onlyJsonIsTaken(String type) throws IOException {
        RawClient.Raw answer = verdict("Content-Type: " + type);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("/problems/verdict-invalid", "application/json");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "{\"verdict\":\"executed\",\"verdict\":\"executed\"}", "{} {}"})
    void whatIsNoStrictObjectIsRefused(String body) throws IOException {
        RawClient.Raw answer = send(
                NOBODY, "127.0.0.1", "POST " + ENTRY + "/verdict", body,
                "Content-Type: application/json");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text()).contains("/problems/verdict-invalid");
    }

    @Test
    void aBodyHasALimit() throws IOException {
        RawClient.Raw answer = send(NOBODY, "127.0.0.1", client -> client.sendRaw("""
                POST %s/verdict HTTP/1.1
                Host: localhost
                Connection: close
                Expect: 100-continue
                Content-Type: application/json
                Content-Length: 7000000

                """.formatted(ENTRY).replace("\n", "\r\n")));
        assertThat(answer.status()).isEqualTo(413);
    }
}

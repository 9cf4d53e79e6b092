package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.MemoryLedger;
import dev.latchkey.gateway.ReplayCache;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.gateway.Verdicts;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.telemetry.Metrics;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManagementIT {

    private final MemoryLedger ledger = new MemoryLedger(Instant.parse("2026-01-04T10:00:00Z"));
    private final Drain drain = new Drain();
    private final ReadyPage ready = new ReadyPage(drain);
    private final Metrics metrics = new Metrics("1.2.3");
    private final ManagementServer server =
            ManagementServer.start("127.0.0.1", 0, ready, metrics, new SystemClocks(), null);
    private final RawClient client = new RawClient(server.port());

    @AfterEach
    void close() {
        server.close();
        metrics.close();
    }

    private RawClient.Raw get(String path, String... headers) throws IOException {
        return client.send("GET " + path + " HTTP/1.1", "", headers);
    }

    private static JsonNode json(RawClient.Raw raw) throws IOException {
        assertThat(raw.status()).as(raw.text()).isEqualTo(200);
        return new ObjectMapper().readTree(raw.body());
    }

    private void admit(Clients operators, String host) {
        SystemClocks clocks = new SystemClocks();
        Verdicts verdicts = new Verdicts(
                ledger, Map.of(), Duration.ofMinutes(5), clocks, () -> 7, new ReplayCache(1_000, clocks, metrics));
        server.admit(
                new OperatorPages(operators, Clients.open(), host, ledger, entry -> null, verdicts,
                        new ByteBudget(10_000_000)));
    }

    @Test
    void itIsAliveBeforeItIsReady() throws IOException {
        assertThat(get("/health/live").text()).isEqualTo("{\"status\":\"live\"}");
        RawClient.Raw starting = get("/health/ready");
        assertThat(starting.status()).isEqualTo(503);
        assertThat(starting.text()).startsWith("{\"status\":\"starting\",\"reason\":\"");
    }

    @Test
    void readinessFollowsTheStateOfThings() throws IOException {
        ready.started(() -> new Ledger.Health(true, true, null));
        assertThat(get("/health/ready").status()).isEqualTo(200);
        assertThat(get("/health/ready").text()).isEqualTo("{\"status\":\"ready\"}");
        ready.started(() -> new Ledger.Health(false, true, "away"));
        assertThat(get("/health/ready").status()).isEqualTo(200);
        assertThat(get("/health/ready").text()).contains("\"status\":\"ready\"", "the ledger cannot be used");
        ready.started(() -> new Ledger.Health(true, false, "the key is missing"));
        assertThat(get("/health/ready").status()).isEqualTo(503);
        assertThat(get("/health/ready").text()).contains(
                "\"status\":\"wrong-schema\"", "\"reason\":\"the key is missing\"");
        ready.started(() -> new Ledger.Health(true, true, null));
        drain.leave();
        assertThat(get("/health/ready").status()).isEqualTo(503);
        assertThat(get("/health/ready").text()).contains("\"status\":\"draining\"");
        assertThat(get("/health/live").status()).isEqualTo(200);
    }

    @Test
    void metricsAreShown() throws IOException {
        RawClient.Raw raw = get("/metrics");
        assertThat(raw.first("Content-Type")).startsWith("text/plain");
        assertThat(raw.text()).contains("latchkey_build_info{");
    }

    @Test
    void operatorsSeeEveryClientsEntriesAndTheClock() throws IOException {
        admit(Clients.of(List.of()), "127.0.0.1");
        EntryId id = new Written(ledger, "alpha").doubted("k-1");
        new Written(ledger, "beta").claimed("k-2");
        JsonNode list = json(get("/operator/entries"));
        assertThat(list.get("entries")).hasSize(2);
        assertThat(list.get("now").asText()).isEqualTo("2026-01-04T10:00:00Z");
        assertThat(json(get("/operator/entries?client=beta&key=k-2")).get("entries")).hasSize(1);
        assertThat(json(get("/operator/entries?client=beta&key=k-1")).get("entries")).isEmpty();
        JsonNode one = json(get("/operator/entries/" + id));
        assertThat(one.get("client").asText()).isEqualTo("alpha");
        assertThat(one.get("state").asText()).isEqualTo("in-doubt");
        assertThat(one.get("lease_until").asText()).isEqualTo("2026-01-04T10:00:40Z");
        assertThat(one.get("now").asText()).isEqualTo("2026-01-04T10:00:00Z");
        assertThat(one.get("history")).isNotEmpty();
        RawClient.Raw none = get("/operator/entries/00000000-0000-0000-0000-000000000000");
        assertThat(none.status()).isEqualTo(404);
        assertThat(none.text()).contains("/problems/no-such-entry");
    }

    @Test
    void operatorsWithATokenAreAskedForIt() throws IOException {
        admit(RunningServer.twoClients(), "0.0.0.0");
        assertThat(get("/operator/entries").status()).isEqualTo(401);
        assertThat(get("/operator/entries", "Authorization: Bearer wrong").status()).isEqualTo(401);
        assertThat(get("/operator/entries", "Authorization: Bearer alpha-token").status()).isEqualTo(200);
    }

    @Test
    void withoutOperatorsOnlyALoopbackAddressIsOpen() throws IOException {
        admit(Clients.of(List.of()), "0.0.0.0");
        RawClient.Raw raw = get("/operator/entries");
        assertThat(raw.status()).isEqualTo(403);
        assertThat(raw.text()).contains("/problems/route-forbidden");
    }

    @Test
    void beforeTheLedgerIsThereOperatorsAreToldSo() throws IOException {
        RawClient.Raw raw = get("/operator/entries");
        assertThat(raw.status()).isEqualTo(503);
        assertThat(raw.text()).contains("/problems/ledger-unavailable");
    }

    @Test
    void whatIsNotThereIsAProblem() throws IOException {
        assertThat(get("/nothing").status()).isEqualTo(404);
        RawClient.Raw raw = client.send("POST /metrics HTTP/1.1", "");
        assertThat(raw.status()).isEqualTo(405);
        assertThat(raw.first("Allow")).isEqualTo("GET, HEAD");
    }
}

package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.gateway.MemoryLedger;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.EntryId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryPagesIT {

    private final MemoryLedger ledger = new MemoryLedger(Instant.parse("2026-01-04T10:00:00Z"));
    /// Alpha was renamed: its entries are under its oldest name.
    private final Written alphas = new Written(ledger, "alpha-old");
    private final Written betas = new Written(ledger, "beta");
    private final RunningServer server = new RunningServer(RunningServer.twoClients(), ledger);

    @AfterEach
    void close() {
        server.close();
    }

    private RawClient.Raw get(String path, String... headers) throws IOException {
        List<String> all = new ArrayList<>(List.of(headers));
        all.add("Latchkey-Token: alpha-token");
        return server.client.send("GET " + path + " HTTP/1.1", "", all.toArray(String[]::new));
    }

    private static JsonNode json(RawClient.Raw raw) throws IOException {
        assertThat(raw.status()).as(raw.text()).isEqualTo(200);
        assertThat(raw.first("Content-Type")).isEqualTo("application/json");
        assertThat(raw.first("Cache-Control")).isEqualTo("no-store");
        return new ObjectMapper().readTree(raw.body());
    }

    private static void assertProblem(RawClient.Raw raw, int status, String slug) {
        assertThat(raw.status()).as(raw.text()).isEqualTo(status);
        assertThat(raw.text()).contains("/problems/" + slug + "\"");
    }

    @Test
    void anEntryIsReadByItsIdAndByItsKey() throws IOException {
        EntryId id = alphas.recorded("k 1", 201, Headers.empty(), Body.ofUtf8("{}"));
        JsonNode entry = json(get("/v1/entries/" + id));
        assertThat(entry.toString())
                .isEqualTo("{\"entry_id\":\"" + id + "\",\"idempotency_key\":\"k 1\",\"state\":\"recorded\","
                        + "\"route\":\"payments\",\"method\":\"POST\",\"target\":\"/payments/x?a=b\","
                        + "\"claimed_at\":\"2026-01-04T10:00:00Z\",\"recorded_at\":\"2026-01-04T10:00:00Z\",\"attempts\":1,"
                        + "\"recorded_status\":201,\"downstream_key\":\"downstream-k 1\",\"cause\":null,\"expires_at\":null}");
        assertThat(json(get("/v1/entry", "Idempotency-Key: \"k 1\""))).isEqualTo(entry);
        assertThat(json(get("/v1/entries/" + id.toString().toUpperCase(java.util.Locale.ROOT)))).isEqualTo(entry);
    }

    @Test
    void anotherClientsEntryIsNotToldFromNone() throws IOException {
        EntryId id = betas.recorded("k", 201, Headers.empty(), Body.empty());
        assertProblem(get("/v1/entries/" + id), 404, "no-such-entry");
        assertProblem(get("/v1/entries/" + id + "/response"), 404, "no-such-entry");
        assertProblem(get("/v1/entry", "Idempotency-Key: k"), 404, "no-such-entry");
        assertProblem(get("/v1/entries/not-an-id"), 404, "no-such-entry");
        assertThat(json(get("/v1/entries")).get("entries")).isEmpty();
    }

    @Test
    void aKeyMustBeReadable() throws IOException {
        assertProblem(get("/v1/entry"), 400, "key-missing");
        assertProblem(get("/v1/entry", "Idempotency-Key: a b"), 400, "key-invalid");
    }

    @Test
    void aRecordedResponseIsReplayed() throws IOException {
        EntryId id = alphas.recorded(
                "k", 201, Headers.of("Content-Type", "text/x", "Link", "<a>", "Link", "<b>"),
                Body.of(new byte[] {0, (byte) 255, 10}));
        RawClient.Raw raw = get("/v1/entries/" + id + "/response");
        assertThat(raw.status()).isEqualTo(201);
        assertThat(raw.body()).containsExactly(0, 255, 10);
        assertThat(raw.all("Link")).containsExactly("<a>", "<b>");
        assertThat(raw.first("Content-Type")).isEqualTo("text/x");
        assertThat(raw.first("Idempotent-Replayed")).isEqualTo("true");
        assertThat(raw.first("Idempotency-Key")).isEqualTo("\"k\"");
        assertThat(raw.first("Idempotency-State")).isEqualTo("recorded");
        assertThat(raw.first("Idempotency-Recorded-At")).isEqualTo("Sun, 04 Jan 2026 10:00:00 GMT");
        assertThat(raw.first("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void whereThereIsNoResponseItSaysWhy() throws IOException {
        EntryId claimed = alphas.claimed("claimed");
        RawClient.Raw underWay = get("/v1/entries/" + claimed + "/response");
        assertProblem(underWay, 409, "in-progress");
        assertThat(underWay.first("Location")).isEqualTo("/v1/entries/" + claimed);
        assertThat(underWay.first("Retry-After")).isNotEmpty();
        assertProblem(get("/v1/entries/" + alphas.doubted("doubted") + "/response"), 409, "outcome-unknown");
        RawClient.Raw gone = get("/v1/entries/" + alphas.recorded("gone", 202, Headers.empty(), null) + "/response");
        assertProblem(gone, 410, "response-gone");
        assertThat(gone.text()).contains("\"recorded_status\":202");
        assertProblem(get("/v1/entries/" + alphas.released("released") + "/response"), 404, "no-such-entry");
    }

    @Test
    void aClaimWhoseLeaseIsOverIsShownInDoubt() throws IOException {
        EntryId id = alphas.claimed("k");
        assertThat(json(get("/v1/entries/" + id)).get("state").asText()).isEqualTo("claimed");
        ledger.advance(Duration.ofSeconds(41));
        JsonNode listed = json(get("/v1/entries")).get("entries").get(0);
        assertThat(listed.get("state").asText()).isEqualTo("in-doubt");
        assertThat(listed.get("cause").asText()).isEqualTo("lease-over");
        assertThat(json(get("/v1/entries/" + id))).isEqualTo(listed);
    }

    @Test
    void aListIsFilteredAndPaged() throws IOException {
        EntryId old = alphas.doubted("old");
        ledger.advance(Duration.ofSeconds(1));
        alphas.recorded("middle", 201, Headers.empty(), Body.empty());
        ledger.advance(Duration.ofSeconds(1));
        EntryId young = alphas.released("young");
        assertThat(json(get("/v1/entries?state=in-doubt")).get("entries")).singleElement()
                .satisfies(entry -> assertThat(entry.get("entry_id").asText()).isEqualTo(old.toString()));
        assertThat(json(get("/v1/entries?since=2026-01-04T10:00:02Z")).get("entries")).hasSize(1);
        assertThat(json(get("/v1/entries?since=2026-01-04T11:00:02%2B01:00")).get("entries")).hasSize(1);
        assertThat(json(get("/v1/entries?route=mail")).get("entries")).isEmpty();
        JsonNode first = json(get("/v1/entries?limit=2"));
        assertThat(first.get("entries")).hasSize(2);
        assertThat(first.get("entries").get(0).get("entry_id").asText()).isEqualTo(young.toString());
        JsonNode second = json(get("/v1/entries?limit=2&after=" + first.get("next").asText()));
        assertThat(second.get("entries")).singleElement()
                .satisfies(entry -> assertThat(entry.get("entry_id").asText()).isEqualTo(old.toString()));
        assertThat(second.get("next").isNull()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "state=claimed&state=claimed, twice",
        "state=IN_DOUBT, 'claimed, recorded, in-doubt, released'",
        "since=yesterday, RFC 3339",
        "limit=0, 1 to 1000",
        "limit=1001, 1 to 1000",
        "limit=ten, 1 to 1000",
        "client=beta, 'after, limit, route, since, state'",
        "route=%zz, percent"
    })
    void aBadParameterIsRefusedWithWhatIsAllowed(String query, String says) throws IOException {
        RawClient.Raw raw = get("/v1/entries?" + query);
        assertProblem(raw, 400, "request-invalid");
        assertThat(raw.text()).contains(says);
    }
}

package dev.latchkey.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.http.Problem;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PagesIT {

    private static final RunningServer SERVER = new RunningServer(RunningServer.twoClients(), NoLedger.make());

    @AfterAll
    static void close() {
        SERVER.close();
    }

    private static RawClient.Raw get(String path) throws IOException {
        return SERVER.client.send("GET " + path + " HTTP/1.1", "");
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemHasAPage(Problem problem) throws IOException {
        RawClient.Raw page = get("/problems/" + problem.slug());
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.first("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.text()).contains(problem.slug(), "What happened", "What to do");
        assertThat(get("/problems").text()).contains("/problems/" + problem.slug() + "\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/problems/none", "/v1", "/v1/entriesx", "/docs/x", "/openapi.yaml/x"})
    void aPageThatIsNotThereIsAProblem(String path) throws IOException {
        RawClient.Raw page = get(path);
        assertThat(page.status()).isEqualTo(404);
        assertThat(page.text()).contains("/problems/no-such-route");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/problems/../v1/entries", "/v1/%2e%2e/payments", "/v1//entries", "/docs/..;/x"})
    void thePathRulesHoldForOwnPagesToo(String path) throws IOException {
        RawClient.Raw page = get(path);
        assertThat(page.status()).isEqualTo(400);
        assertThat(page.text()).contains("/problems/path-invalid");
    }

    @Test
    void anotherMethodIsRefusedWithWhatIsAllowed() throws IOException {
        RawClient.Raw page = SERVER.client.send("POST /v1/entries HTTP/1.1", "{}", "Accept: text/html");
        assertThat(page.status()).isEqualTo(405);
        assertThat(page.text()).contains("/problems/method-not-allowed");
        assertThat(page.first("Allow")).isEqualTo("GET, HEAD");
    }

    @Test
    void theContractIsServedAsWrittenAndAsJson() throws IOException {
        RawClient.Raw yaml = get("/openapi.yaml");
        assertThat(yaml.first("Content-Type")).isEqualTo("application/yaml");
        assertThat(yaml.text()).startsWith("openapi: 3.1.0");
        RawClient.Raw json = get("/openapi.json");
        assertThat(json.first("Content-Type")).isEqualTo("application/json");
        JsonNode tree = new ObjectMapper().readTree(json.body());
        assertThat(tree.path("openapi").asText()).isEqualTo("3.1.0");
        assertThat(tree.path("paths").has("/v1/entries")).isTrue();
    }

    @Test
    void theDocumentNeedsNothingFromElsewhere() throws IOException {
        RawClient.Raw page = get("/docs");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.first("Content-Security-Policy")).contains("default-src 'none'", "script-src 'self'");
        assertThat(page.text()).doesNotContain("http://", "https://", "//cdn");
        for (String file : new String[] {"/docs/swagger-ui.css", "/docs/swagger-ui-bundle.js", "/docs/start.js"}) {
            assertThat(page.text()).contains(file);
            assertThat(get(file).status()).isEqualTo(200);
        }
    }

    @Test
    void headOfAPageHasNoBody() throws IOException {
        RawClient.Raw page = SERVER.client.send("HEAD /problems HTTP/1.1", "");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).isEmpty();
    }

    @Test
    void readingNeedsATokenAndALedger() throws IOException {
        RawClient.Raw nobody = get("/v1/entries");
        assertThat(nobody.status()).isEqualTo(401);
        assertThat(nobody.first("WWW-Authenticate")).isEqualTo("Bearer");
        RawClient.Raw away = SERVER.client.send("GET /v1/entries HTTP/1.1", "", "Latchkey-Token: beta-token");
        assertThat(away.status()).isEqualTo(503);
        assertThat(away.text()).contains("/problems/ledger-unavailable");
    }
}

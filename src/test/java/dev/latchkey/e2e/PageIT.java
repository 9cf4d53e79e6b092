package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.http.Problem;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The pages that the gateway serves to anybody.
@EndToEnd
final class PageIT {

    private final Replica gateway;

    PageIT(World world) {
        gateway = world.gateway();
    }

    @Test
    void publicContractIsServedAsItIsWritten() throws IOException {
        Response yaml = gateway.open().get("/openapi.yaml");
        assertThat(yaml.statusCode()).isEqualTo(200);
        assertThat(yaml.asByteArray()).isEqualTo(Files.readAllBytes(Path.of("openapi", "latchkey.yaml")));
    }

    @Test
    void publicContractIsServedAsJsonToo() throws IOException {
        Response json = gateway.open().get("/openapi.json");
        assertThat(json.contentType()).startsWith("application/json");
        assertThat(new ObjectMapper().readTree(json.asByteArray())).isEqualTo(new PublicContract().document());
    }

    @Test
    void publicContractIsShown() {
        Response page = gateway.open().get("/docs");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.contentType()).startsWith("text/html");
        assertThat(page.asString()).contains("/openapi.");
    }

    @ParameterizedTest
    @EnumSource
    void everyProblemHasAPageInPlainWords(Problem problem) {
        Response page = gateway.open().get("/problems/" + problem.slug());
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.contentType()).startsWith("text/html");
        assertThat(page.asString()).contains(problem.slug(), "What happened", "What to do");
    }

    @Test
    void everyProblemIsListed() {
        Response page = gateway.open().get("/problems");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.asString()).contains(Arrays.stream(Problem.values()).map(Problem::slug).toList());
    }

    @Test
    void ownPageRefusesHeaderFieldsOverTheLimitToo() {
        Response answer = gateway.open().header("X-Long", "x".repeat(17 << 10)).get("/docs");
        Expect.refused(answer, 431, "header-fields-too-large");
    }

    @Test
    void problemThatIsNotOnTheListHasNoPage() {
        Expect.refused(gateway.open().get("/problems/odd"), 404, "no-such-route");
    }
}

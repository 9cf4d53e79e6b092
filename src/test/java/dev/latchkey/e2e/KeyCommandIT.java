package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.response.Response;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `latchkey key` of the packaged program shows what gateway, downstream and ledger have, and what the operator's guide
/// says it shows.
@EndToEnd
final class KeyCommandIT {

    private static final Path GUIDE = Path.of("src/site/markdown/operating.md");
    private static final Pattern SHOWN = Pattern.compile("(?ms)^```console\\n(\\$ echo '.*?)^```$");
    private static final Pattern QUERY = Pattern.compile("(?m)^select .*encode\\(fingerprint.*;$");
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final String TEMPLATE = "order-shipped:{/order_id}:{/run_date}";

    private final World world;
    private final String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    private Path folder;

    KeyCommandIT(World world) {
        this.world = world;
    }

    @Test
    void itShowsTheKeyEntryAndFingerprintOfACall() throws Exception {
        String body = "{\"order_id\": 1001, \"run_date\": \"%s\"}".formatted(Canary.key());
        Response answer = world.gateway().as(ALICE).contentType("application/json").body(body)
                .post("/derived/debugged?a=1");
        Expect.fresh(answer, 201);
        JsonNode shown = shown(body, "'" + TEMPLATE + "' --target '/derived/debugged?a=1'");
        assertThat(shown.path("as_header").asText())
                .isEqualTo("Idempotency-Key: " + answer.header("Idempotency-Key"));
        assertThat(kept(shown)).isEqualTo(shown.path("fingerprint").asText());
        assertThat(world.downstream().receivedAt("/derived/debugged")).singleElement()
                .satisfies(received -> assertThat(received.key()).isEqualTo(shown.path("downstream_key").asText()));
        world.gateway().as(ALICE).get("/v1/entries/" + shown.path("entry_id").asText()).then().statusCode(200);
    }

    @Test
    void itLeavesOutAndTakesInWhatTheRouteDoes() throws Exception {
        String key = Canary.key();
        String body = "{\"order_id\": \"%s\", \"requested_at\": 1, \"meta\": {\"try\": 1}}".formatted(key);
        Expect.fresh(world.gateway().keyed(ALICE, key).header("Stripe-Account", "acct_1").body(body)
                .post("/picky/debugged"), 201);
        JsonNode shown = shown(body.replace("\"try\": 1", "\"try\": 2"), "'{/order_id}' --target /picky/debugged"
                + " --ignore /requested_at --ignore /meta/try --header 'Stripe-Account: acct_1'");
        assertThat(kept(shown)).isEqualTo(shown.path("fingerprint").asText());
    }

    @Test
    void itPrintsWhatTheGuideSays() throws Exception {
        Matcher block = SHOWN.matcher(Files.readString(GUIDE));
        assertThat(block.find()).isTrue();
        String[] steps = block.group(1).split("(?m)^\\$ ");
        assertThat(steps).hasSize(3);
        String[] command = steps[2].split("\\n", 2);
        assertThat(run(steps[1].strip() + "\n" + command[0])).isEqualToIgnoringNewLines(command[1]);
    }

    private JsonNode shown(String body, String arguments) throws Exception {
        Files.writeString(folder.resolve("order.json"), body);
        return new ObjectMapper().readTree(run("java -jar target/latchkey.jar key " + arguments + " --client "
                + ALICE.wireName() + " --json < order.json"));
    }

    /// By the query of the guide.
    private String kept(JsonNode shown) throws IOException, SQLException {
        Matcher query = QUERY.matcher(Files.readString(GUIDE));
        assertThat(query.find()).isTrue();
        try (Connection connection = world.database().connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        UUID.matcher(query.group()).replaceFirst(shown.path("entry_id").asText()))) {
            assertThat(rows.next()).isTrue();
            return rows.getString("encode");
        }
    }

    private String run(String commands) throws IOException, InterruptedException {
        String jar = Path.of(System.getProperty("latchkey.jar", "target/latchkey.jar")).toAbsolutePath().toString();
        Process process = new ProcessBuilder(
                "bash", "-c",
                commands.replace("java -jar target/latchkey.jar",
                        "'" + java + "' '" + String.join("' '", Program.brief()) + "' -jar '" + jar + "'"))
                .directory(folder.toFile()).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        return printed;
    }
}

package dev.latchkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The commands that speak to a running gateway, against a server that plays one.
class OperatorCommandsIT {

    private static final String ID = "7f3c1a52-0d7e-4b1c-9a55-2f6f0d9f1c11";
    private static final String ENTRY = """
            {"entry_id":"7f3c1a52-0d7e-4b1c-9a55-2f6f0d9f1c11","state":"in-doubt","route":"mail","client":"open",
             "claimed_at":"2026-01-04T09:00:00Z","status":503,"cause":"status-503","idempotency_key":"order\\u0007"}""";

    @TempDir
    private Path folder;

    private final List<String> asked = new ArrayList<>();
    private final Queue<String> answers = new ArrayDeque<>();
    private HttpServer server;
    private static final int HANG_UP = -1;

    private int status = 200;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            asked.add((exchange.getRequestMethod() + " " + exchange.getRequestURI() + " " + body).strip());
            asked.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
            if (status == HANG_UP) {
                exchange.close();
                return;
            }
            byte[] answer = answers.remove().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(status, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private Typed run(@Nullable String typed, String... args) {
        Map<String, String> environment = Map.of("LATCHKEY_OPERATOR_TOKEN", "canary");
        InputStream in = new ByteArrayInputStream((typed == null ? "" : typed).getBytes(StandardCharsets.UTF_8));
        String[] line = Stream.concat(Arrays.stream(args), Stream.of("--url", url())).toArray(String[]::new);
        return Typed.run(new FakeProgram(), environment, in, line);
    }

    private List<String> requests() {
        return asked.stream().filter(line -> line.contains(" /")).toList();
    }

    @Test
    void entriesAreATableForPeople() {
        answers.add("{\"entries\":[" + ENTRY + "],\"next\":\"n\",\"now\":\"2026-01-04T10:00:00Z\"}");
        Typed typed = run(null, "entries", "--state", "in-doubt", "--route", "mail", "--key", "a b&c");
        assertThat(typed.status()).as(typed.err()).isZero();
        assertThat(typed.out()).contains(ID, "in-doubt", "status-503", "order?", "--after n", "2026-01-04T10:00:00Z")
                .startsWith("ENTRY ");
        assertThat(asked).containsExactly(
                "GET /operator/entries?state=in-doubt&route=mail&key=a+b%26c", "Bearer canary");
    }

    @Test
    void variableNamesTheSettingsThatNameTheAddress() throws IOException {
        answers.add("{\"entries\":[],\"next\":null,\"now\":\"x\"}");
        Path file = Files.writeString(
                folder.resolve("latchkey.yaml"),
                "ledger: { data-dir: d }\nmanagement: { port: " + server.getAddress().getPort() + " }\n");
        Typed typed = Typed.run(new FakeProgram(), Map.of("LATCHKEY_CONFIG", file.toString()), "entries", "--json");
        assertThat(typed.status()).as(typed.err()).isZero();
        assertThat(requests()).containsExactly("GET /operator/entries");
    }

    @Test
    void entriesAreJsonForPrograms() {
        answers.add("{\"entries\":[],\"next\":null,\"now\":\"x\"}");
        assertThat(run(null, "entries", "--json").out()).contains("\"entries\" : [ ]");
    }

    @Test
    void groupsSayWhyEntriesAreInDoubt() {
        answers.add("""
                {"count":10000,"groups":[{"cause":"status-503","route":"mail","client":"open","count":10000,
                 "oldest":"2026-01-04T09:00:00Z","newest":"2026-01-04T09:05:00Z"}],"now":"2026-01-04T10:00:00Z"}""");
        assertThat(run(null, "entries", "--groups").out()).contains("10000", "status-503", "mail", "10000 in doubt");
        assertThat(requests()).containsExactly("GET /operator/doubts");
    }

    @Test
    void oneEntryIsShownWithItsHistory() {
        answers.add("""
                {"entry_id":"%s","cause":null,"history":[{"at":"2026-01-04T09:00:00Z","kind":"settled","by":"olga",
                 "status":201,"cause":"it is there"}]}""".formatted(ID));
        Typed typed = run(null, "entries", ID);
        assertThat(typed.out()).contains("entry_id", "settled", "olga", "201", "it is there");
        assertThat(requests()).containsExactly("GET /operator/entries/" + ID);
    }

    @Test
    void aRefusalIsSaidInASentence() {
        status = 409;
        answers.add("{\"type\":\"/problems/too-early\",\"detail\":\"Look at it after noon.\"}");
        Typed typed = run(
                null, "verdict", "not-executed", ID, "--reason", "none", "--as-of", "2026-01-04T09:00:00Z");
        assertThat(typed.status()).isEqualTo(1);
        assertThat(typed.err()).contains("409 too-early", "after noon").hasLineCount(1);
        assertThat(requests()).containsExactly("POST /operator/entries/" + ID + "/verdict "
                + "{\"verdict\":\"not-executed\",\"reason\":\"none\",\"as_of\":\"2026-01-04T09:00:00Z\"}");
    }

    @Test
    void aGatewayThatIsNotThereIsSaidInASentence() {
        server.stop(0);
        Typed typed = run(null, "entries");
        assertThat(typed.status()).isEqualTo(1);
        assertThat(typed.err()).contains("cannot be reached", "--url").hasLineCount(1);
    }

    /// As a port that speaks TLS does with what is none.
    @Test
    void aPortThatHangsUpIsSaidToSpeakTlsPerhaps() {
        status = HANG_UP;
        Typed typed = run(null, "entries");
        assertThat(typed.status()).isEqualTo(1);
        assertThat(typed.err()).contains("did not answer", "TLS", "https://").hasLineCount(1);
    }

    @Test
    void aVerdictBringsItsResponse() throws IOException {
        Path body = Files.writeString(folder.resolve("answer"), "é");
        answers.add(ENTRY);
        Typed typed = run(
                null, "verdict", "executed", ID, "--reason", "seen", "--status", "201", "--header",
                "Content-Type: text/plain", "--body", body.toString());
        assertThat(typed.status()).as(typed.err()).isZero();
        assertThat(requests().getFirst()).endsWith("\"response\":{\"status\":201,\"headers\":[[\"Content-Type\","
                + "\"text/plain\"]],\"body_base64\":\"w6k=\"}}");
    }

    @Test
    void aVerdictOnManyAsksFirst() {
        answers.add("{\"count\":3,\"as_of\":\"2026-01-04T10:00:00Z\"}");
        Typed typed = run("no", "verdict", "executed", "--route", "mail", "--reason", "seen");
        assertThat(typed.status()).isEqualTo(1);
        assertThat(typed.err()).contains("Nothing was settled", "--yes");
        assertThat(requests()).containsExactly(
                "POST /operator/verdicts {\"dry_run\":true,\"filter\":{\"route\":\"mail\"}}");
    }

    @Test
    void aVerdictOnManyIsRepeatedUntilItIsComplete() {
        answers.add("{\"count\":3,\"as_of\":\"2026-01-04T10:00:00Z\"}");
        answers.add("{\"settled\":2,\"refused\":{},\"complete\":false}");
        answers.add("{\"settled\":1,\"refused\":{},\"complete\":true}");
        Typed typed = run("yes", "verdict", "executed", "--cause", "timeout", "--reason", "seen");
        assertThat(typed.status()).as(typed.err()).isZero();
        assertThat(typed.out()).contains("3 in doubt", "Settled: 3.");
        assertThat(requests()).hasSize(3);
    }

    @Test
    void whatWasRefusedIsCountedAndFails() {
        answers.add("{\"count\":3,\"as_of\":\"2026-01-04T10:00:00Z\"}");
        answers.add("{\"settled\":1,\"refused\":{\"too-early\":2},\"complete\":true}");
        Typed typed = run(
                null, "verdict", "not-executed", "--all", "--yes", "--reason", "seen", "--as-of",
                "2026-01-04T09:00:00Z");
        assertThat(typed.status()).isEqualTo(1);
        assertThat(typed.out()).contains("Settled: 1.", "Refused, too-early: 2.");
    }

    @Test
    void aDryRunOnlyCounts() {
        answers.add("{\"count\":3,\"as_of\":\"2026-01-04T10:00:00Z\"}");
        Typed typed = run(null, "verdict", "not-executed", "--route", "mail", "--dry-run");
        assertThat(typed.status()).isZero();
        assertThat(typed.out()).contains("3 in doubt, as of 2026-01-04T10:00:00Z.");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "verdict", "verdict maybe ID --reason r", "verdict executed --reason r", "verdict executed ID",
        "verdict executed ID --route mail --reason r", "verdict not-executed ID --reason r",
        "verdict executed ID --reason r --as-of now", "verdict executed ID --reason r --body x",
        "verdict not-executed ID --reason r --as-of now --status 201", "verdict executed short --reason r",
        "verdict executed ID --dry-run", "entries ID --groups", "entries --groups --route mail"})
    void wrongUsageIsSaidAndNothingIsAsked(String line) {
        Typed typed = run(null, line.replace("ID", ID).split(" "));
        assertThat(typed.status()).as(typed.err()).isEqualTo(2);
        assertThat(typed.err()).contains("--help");
        assertThat(asked).isEmpty();
    }
}

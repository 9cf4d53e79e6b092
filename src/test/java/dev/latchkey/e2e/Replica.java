package dev.latchkey.e2e;

import dev.latchkey.testing.BatchCall;
import io.restassured.RestAssured;
import io.restassured.config.DecoderConfig;
import io.restassured.config.EncoderConfig;
import io.restassured.config.HttpClientConfig;
import io.restassured.config.RedirectConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One running gateway. Safe for any number of threads.
///
/// @param program the process
/// @param port where callers call
/// @param managementPort where its operators look
public record Replica(Program program, int port, int managementPort) implements AutoCloseable {

    private static final Pattern PORT = field("port");
    private static final Pattern MANAGEMENT_PORT = field("management_port");
    private static final RestAssuredConfig AS_SENT = RestAssuredConfig.config()
            .redirect(RedirectConfig.redirectConfig().followRedirects(false))
            .decoderConfig(DecoderConfig.decoderConfig().noContentDecoders())
            .encoderConfig(EncoderConfig.encoderConfig().appendDefaultContentCharsetToContentTypeIfUndefined(false)
                    .encodeContentTypeAs("application/x-www-form-urlencoded", ContentType.TEXT))
            .httpClient(HttpClientConfig.httpClientConfig()
                    .setParam("http.connection.timeout", 10_000)
                    .setParam("http.socket.timeout", 60_000));

    /// Starts a gateway with these settings and waits until it says that it is ready.
    public static Replica start(Path folder, String settings, String... javaOptions) {
        try {
            Path file = Files.createTempFile(folder, "latchkey", ".yaml");
            Files.writeString(file, settings);
            return ready(Program.start(List.of(javaOptions), "serve", "--config", file.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Starts the quick start on free ports, its ledger in that folder.
    static Replica demo(Path folder) {
        return ready(Program.start(
                List.of(), "demo", "--port", "0", "--management-port", "0", "--sandbox-port", "0", "--data-dir",
                folder.resolve("postgres").toString()));
    }

    private static Replica ready(Program program) {
        String line = program.awaitLine(printed -> MANAGEMENT_PORT.matcher(printed).find());
        return new Replica(program, number(PORT, line), number(MANAGEMENT_PORT, line));
    }

    /// A call without a credential.
    public RequestSpecification open() {
        return RestAssured.given()
                .config(AS_SENT)
                .baseUri("http://127.0.0.1")
                .port(port)
                .urlEncodingEnabled(false)
                .filter(Answers.recorder());
    }

    /// A call by that client.
    RequestSpecification as(Client client) {
        return open().header("Authorization", "Bearer " + client.token());
    }

    /// A JSON call by that client under that key.
    RequestSpecification keyed(Client client, String key) {
        return as(client).header("Idempotency-Key", key).contentType("application/json");
    }

    /// A batch by that client, byte by byte; the head of its answer is recorded.
    BatchCall batch(Client client) throws IOException {
        return BatchCall.to(port, client.token())
                .tell(head -> Answers.add(Exchange.ofHead("POST", "/v1/batches", head)));
    }

    /// A look at the management port.
    RequestSpecification management() {
        return RestAssured.given().config(AS_SENT).baseUri("http://127.0.0.1").port(managementPort);
    }

    @Override
    public void close() {
        program.close();
    }

    private static Pattern field(String name) {
        return Pattern.compile("(?<![\\w-])" + name + "\"?\\s*[:=]\\s*\"?(\\d+)");
    }

    private static int number(Pattern pattern, String line) {
        Matcher matcher = pattern.matcher(line);
        if (!matcher.find()) {
            throw new AssertionError("no " + pattern + " in the ready line: " + line);
        }
        return Integer.parseInt(matcher.group(1));
    }
}

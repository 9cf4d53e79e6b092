package dev.latchkey.torture;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.latchkey.gateway.Clocks;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A client of gateways, as a pipeline's task is one. Its HTTP client may send again by itself, as such clients do. Safe for
/// any number of threads; closed once its calls are over.
public final class Caller implements Calling, AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT).build();
    private final Clocks clocks;
    private final @Nullable String token;
    private final Duration patience;

    /// @param token the client's bearer token; null: none is sent
    /// @param patience how long to wait for an answer
    public Caller(Clocks clocks, @Nullable String token, Duration patience) {
        this.clocks = clocks;
        this.token = token;
        this.patience = patience;
    }

    @Override
    public Optional<Told> post(URI gateway, String path, String key, String body, Map<String, String> more)
            throws InterruptedException {
        HttpRequest.Builder request = request(gateway, path)
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        more.forEach(request::header);
        long asked = clocks.nanos();
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return Optional.of(told(key, body, answer, asked, clocks.nanos()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// Reads a page of JSON.
    ///
    /// @throws IOException when none comes
    JsonNode get(URI server, String pathAndQuery) throws IOException, InterruptedException {
        HttpResponse<String> answer =
                client.send(request(server, pathAndQuery).GET().build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException(server + " answered " + answer.statusCode() + " to GET " + pathAndQuery);
        }
        return JSON.readTree(answer.body());
    }

    private HttpRequest.Builder request(URI server, String pathAndQuery) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + pathAndQuery)).timeout(patience);
        return token == null ? request : request.header("Authorization", "Bearer " + token);
    }

    private static Told told(String key, String body, HttpResponse<String> answer, long asked, long heard) {
        String type = answer.headers().firstValue("Content-Type").orElse("");
        JsonNode problem = type.startsWith("application/problem+json") ? problem(answer.body()) : JSON.nullNode();
        String name = problem.path("type").asText("");
        boolean ours = name.startsWith("/problems/");
        return new Told(
                key, body, answer.statusCode(), answer.body(),
                answer.headers().firstValue("Idempotency-State").orElse(""),
                answer.headers().firstValue("Idempotent-Replayed").orElse("").equals("true"),
                ours ? name.substring("/problems/".length()) : "",
                ours ? problem.path("forwarded").asText("") : "", ours && problem.path("new_key_safe").asBoolean(),
                asked, heard);
    }

    private static JsonNode problem(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            return JSON.nullNode();
        }
    }

    @Override
    public void close() {
        client.close();
    }
}

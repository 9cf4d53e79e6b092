package dev.latchkey.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Speaks to a gateway's operator API. A refusal becomes a [StartFailure] that says what the gateway says.
final class OperatorClient {

    private static final Duration CONNECT = Duration.ofSeconds(5);

    /// Longer than the longest round of verdicts.
    private static final Duration ANSWER = Duration.ofSeconds(90);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI address;
    private final @Nullable String token;
    private final @Nullable SSLContext tls;

    /// @param token null: none is sent
    /// @param tls null: Java's own
    OperatorClient(URI address, @Nullable String token, @Nullable SSLContext tls) {
        this.address = address;
        this.token = token;
        this.tls = tls;
    }

    /// @param query undecoded values
    JsonNode get(String path, Map<String, String> query) {
        String text = query.entrySet().stream()
                .map(each -> each.getKey() + "=" + URLEncoder.encode(each.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(request(text.isEmpty() ? path : path + "?" + text).GET().build());
    }

    JsonNode post(String path, ObjectNode body) {
        return send(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build());
    }

    private HttpRequest.Builder request(String pathAndQuery) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + pathAndQuery)).timeout(ANSWER);
        return token == null || token.isBlank() ? request : request.header("Authorization", "Bearer " + token);
    }

    private JsonNode send(HttpRequest request) {
        HttpClient.Builder clients =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(CONNECT);
        if (tls != null) {
            clients.sslContext(tls);
        }
        try (HttpClient client = clients.build()) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            JsonNode body = JSON.readTree(answer.body());
            if (answer.statusCode() / 100 == 2) {
                return body;
            }
            throw new StartFailure(refusal(answer.statusCode(), body));
        } catch (JsonProcessingException e) {
            throw new StartFailure(address + " does not answer as a gateway's management port does.", e);
        } catch (SSLException e) {
            throw new StartFailure(
                    address + " and this command do not trust each other: " + e.getMessage()
                            + ". Give --ca, and --certificate with --certificate-key where it asks for one.",
                    e);
        } catch (HttpTimeoutException | ConnectException e) {
            throw new StartFailure(
                    address + " cannot be reached. Is the gateway running, and is this its management address (--url)?",
                    e);
        } catch (IOException e) {
            throw new StartFailure(
                    address + " took the connection and did not answer as a gateway does" + mayBe() + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartFailure("Interrupted.", e);
        }
    }

    private String mayBe() {
        return "http".equals(address.getScheme()) ? ". If this port speaks TLS, write https://… as --url" : "";
    }

    private static String refusal(int status, JsonNode problem) {
        String name = problem.path("type").asText("").replace("/problems/", "");
        String hint = status == 401 ? " The token comes from the variable " + OperatorOption.TOKEN + "." : "";
        return "Refused (" + status + (name.isEmpty() ? "" : " " + name) + "): "
                + Table.printable(problem.path("detail").asText("the gateway does not say why")) + hint;
    }
}

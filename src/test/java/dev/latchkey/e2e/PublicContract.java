package dev.latchkey.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import dev.latchkey.http.Header;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// `openapi/latchkey.yaml`, read so that answers can be held against it: is it declared, and which of what is declared ever
/// occurs. For one thread.
final class PublicContract {

    private static final String HERE = "https://latchkey.test/openapi";

    /// Fields of HTTP itself, which no OpenAPI document declares.
    private static final Set<String> OF_HTTP = Set.of(
            "date", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection", "vary");

    private static final Set<String> OWN_SEGMENTS = Set.of("v1", "docs", "problems", "openapi.yaml", "openapi.json");

    private final ObjectMapper json = new ObjectMapper();
    private final JsonNode document;
    private final SchemaRegistry schemas;
    private final Set<String> seen = new TreeSet<>();

    PublicContract() {
        document = read();
        schemas = SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12,
                b -> b.schemas(Map.of(HERE, document.toString())).schemaRegistryConfig(
                        SchemaRegistryConfig.builder().formatAssertionsEnabled(true).build()));
    }

    private static JsonNode read() {
        try (InputStream in = PublicContract.class.getResourceAsStream("/openapi/latchkey.yaml")) {
            if (in == null) {
                throw new IllegalStateException("the public contract is not on the class path");
            }
            return new ObjectMapper(new YAMLFactory()).readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode document() {
        return document;
    }

    /// What is wrong with the value by the schema at that pointer.
    List<String> check(String pointer, JsonNode value) {
        Schema schema = schemas.getSchema(SchemaLocation.of(HERE + "#" + pointer));
        return schema.validate(value).stream().map(Object::toString).toList();
    }

    /// What is wrong with an answer; what it shows of the document counts as seen.
    List<String> check(Exchange answer) {
        List<String> wrong = new ArrayList<>();
        String template = template(answer.path());
        Declared declared = declared(template, answer);
        String where = answer.method() + " " + template + " " + answer.status();
        if (declared == null) {
            return List.of(where + ": the status is not declared");
        }
        seen.add(declared.name());
        JsonNode problem = ownProblem(answer);
        boolean passedOn = (template.contains("{route}") && problem == null)
                || List.of("Replay", "ClaimResult").contains(declared.name());
        for (Header line : answer.headers()) {
            checkField(where, declared, line, passedOn, wrong);
        }
        if (problem != null) {
            checkProblem(where, answer.status(), problem, wrong);
        } else if (!passedOn && answer.status() != 204) {
            checkBody(where, declared, answer, wrong);
        }
        return wrong;
    }

    /// What is declared and no answer has shown.
    Set<String> unseen() {
        Set<String> unseen = new TreeSet<>();
        document.at("/components/responses").properties().forEach(response -> {
            unseen.add(response.getKey());
            response.getValue().path("headers").fieldNames()
                    .forEachRemaining(name -> unseen.add(response.getKey() + " " + name));
        });
        document.at("/paths").properties().forEach(path -> path.getValue().properties().stream()
                .filter(member -> member.getValue().has("operationId"))
                .forEach(member -> unseen.add(member.getValue().path("operationId").asText())));
        document.at("/components/schemas/Problem/properties/type/enum").forEach(type -> unseen.add(type.asText()));
        unseen.removeAll(seen);
        return unseen;
    }

    /// A response as it is declared.
    private record Declared(String name, JsonNode response) {}

    private void checkField(String where, Declared declared, Header line, boolean passedOn, List<String> wrong) {
        String name = line.lowerCaseName();
        String shown = declaredName(declared, name);
        boolean ours = name.startsWith("idempoten") || name.equals("preference-applied");
        if (shown != null) {
            seen.add(declared.name() + " " + shown);
            if (ours || !passedOn) {
                checkValue(where, declared, shown, line.value(), wrong);
            }
        } else if (ours || (!passedOn && !OF_HTTP.contains(name))) {
            wrong.add(where + ": the field " + line.name() + " is not declared");
        }
    }

    private static @Nullable String declaredName(Declared declared, String lowerCase) {
        for (Map.Entry<String, JsonNode> header : declared.response().path("headers").properties()) {
            if (header.getKey().toLowerCase(Locale.ROOT).equals(lowerCase)) {
                return header.getKey();
            }
        }
        return null;
    }

    private void checkValue(String where, Declared declared, String field, String value, List<String> wrong) {
        String pointer = declared.response().path("headers").path(field).path("$ref").asText().substring(1) + "/schema";
        boolean integer = document.at(pointer).path("type").asText().equals("integer");
        JsonNode node = integer && value.matches("\\d{1,9}")
                ? IntNode.valueOf(Integer.parseInt(value))
                : TextNode.valueOf(value);
        check(pointer, node).forEach(error -> wrong.add(where + ": " + field + " is " + value + ": " + error));
    }

    private void checkProblem(String where, int status, JsonNode problem, List<String> wrong) {
        seen.add(problem.path("type").asText());
        check("/components/schemas/Problem", problem)
                .forEach(error -> wrong.add(where + ": " + error + " in " + problem));
        if (problem.path("status").asInt() != status) {
            wrong.add(where + ": says status " + problem.path("status"));
        }
        JsonNode members = document.at("/components/schemas/Problem/properties");
        problem.fieldNames().forEachRemaining(name -> {
            if (!members.has(name)) {
                wrong.add(where + ": the member " + name + " is not declared");
            }
        });
    }

    private void checkBody(String where, Declared declared, Exchange answer, List<String> wrong) {
        String type = answer.headers().first("Content-Type").orElse("").replaceAll(";.*", "");
        JsonNode content = declared.response().path("content");
        if (!content.has(type)) {
            wrong.add(where + ": the media type " + type + " is not declared");
        } else if (type.equals("application/json")) {
            String ref = content.path(type).path("schema").path("$ref").asText();
            JsonNode body = parse(answer.body().bytes());
            if (body == null) {
                wrong.add(where + ": the body is not JSON");
            } else if (!ref.isEmpty()) {
                check(ref.substring(1), body).forEach(error -> wrong.add(where + ": " + error));
            }
        } else if (type.equals("application/x-ndjson")) {
            answer.text().lines().map(line -> parse(line.getBytes(StandardCharsets.UTF_8))).forEach(
                    line -> check("/components/schemas/BatchAnswer", line == null ? NullNode.instance : line)
                            .forEach(error -> wrong.add(where + ": " + error)));
        }
    }

    private @Nullable JsonNode ownProblem(Exchange answer) {
        if (!answer.headers().first("Content-Type").orElse("").startsWith("application/problem+json")) {
            return null;
        }
        JsonNode body = parse(answer.body().bytes());
        return body != null && body.path("type").asText().startsWith("/problems/") ? body : null;
    }

    private @Nullable JsonNode parse(byte[] bytes) {
        try {
            return json.readTree(bytes);
        } catch (IOException _) {
            return null;
        }
    }

    private @Nullable Declared declared(String template, Exchange answer) {
        JsonNode path = document.path("paths").path(template);
        String method = answer.method().toLowerCase(Locale.ROOT);
        JsonNode operation = answer.method().equals(method) ? path.path("") : path.path(method);
        if (operation.isMissingNode()) {
            operation = path.has("trace") ? path.path("trace") : path.path("get");
            if (answer.status() == 405) {
                return resolve("MethodNotAllowed", document.at("/components/responses/MethodNotAllowed"));
            }
        }
        String id = operation.path("operationId").asText();
        seen.add(id);
        JsonNode responses = operation.path("responses");
        String status = String.valueOf(answer.status());
        JsonNode response = Stream.of(status, status.charAt(0) + "XX", "default")
                .map(responses::path)
                .filter(declared -> !declared.isMissingNode())
                .findFirst()
                .orElse(responses.path(status));
        return response.isMissingNode() ? null : resolve(id + " " + status, response);
    }

    private Declared resolve(String inline, JsonNode response) {
        String ref = response.path("$ref").asText();
        return ref.isEmpty()
                ? new Declared(inline, response)
                : new Declared(ref.substring(ref.lastIndexOf('/') + 1), document.at(ref.substring(1)));
    }

    private String template(String path) {
        List<String> segments = Stream.of(path.split("/", -1)).filter(s -> !s.isEmpty()).toList();
        if (!segments.isEmpty() && OWN_SEGMENTS.contains(segments.getFirst())) {
            String own = path.replaceFirst("^/v1/entries/[^/]+", "/v1/entries/{entry-id}")
                    .replaceFirst("^/v1/claims/[^/]+", "/v1/claims/{entry-id}")
                    .replaceFirst("^/problems/[^/]+$", "/problems/{name}");
            if (document.path("paths").has(own)) {
                return own;
            }
        }
        return segments.size() < 2 ? "/{route}" : "/{route}/{path}";
    }
}

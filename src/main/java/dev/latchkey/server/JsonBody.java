package dev.latchkey.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.http.Body;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Function;

/// Reads JSON objects that are sent to the gateway itself: no name twice, nothing after the object. Safe for any number of
/// threads.
final class JsonBody {

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private JsonBody() {}

    /// Whether a media type is that of JSON.
    static boolean isNamedBy(String type) {
        return type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json");
    }

    /// @param refusing makes the refusal of what is wrong
    static ObjectNode object(Body body, Function<String, Refusing> refusing) {
        try {
            JsonNode node = JSON.readTree(body.bytes());
            if (node instanceof ObjectNode object) {
                return object;
            }
            throw refusing.apply("The body must be a JSON object.");
        } catch (JsonProcessingException e) {
            // Not its message: it quotes what was sent.
            int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
            throw refusing.apply("The body is not strict JSON, or has a name twice (line " + line + ").");
        } catch (IOException _) {
            throw refusing.apply("The body cannot be read.");
        }
    }
}

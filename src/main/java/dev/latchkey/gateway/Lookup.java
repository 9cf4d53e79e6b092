package dev.latchkey.gateway;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Outcome;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How to ask a downstream what became of a key, and how to read what it says (contract §11). Immutable; safe for any
/// number of threads.
///
/// @param path relative to the route's base URL, perhaps with a query; holds `{downstream-key}` or `{key}`
/// @param executed what says that the effect happened; null: nothing does
/// @param response what is recorded then; null: that it was executed, without a response
/// @param notExecuted what says that it did not; null: nothing does
/// @param after from the lease's end to the first look
public record Lookup(
        String path,
        @Nullable Rule executed,
        @Nullable Shape response,
        @Nullable Rule notExecuted,
        Duration after) {

    /// Numbers as the downstream wrote them, not as a double would have them.
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /// When an answer means something.
    ///
    /// @param status one of these
    /// @param where and something other than null is there in the JSON body; null: no such condition
    /// @param unless and the body is JSON, and nothing but null is there; null: no such condition
    public record Rule(Set<Integer> status, @Nullable JsonPointer where, @Nullable JsonPointer unless) {

        boolean holds(int answered, @Nullable JsonNode body) {
            return status.contains(answered)
                    && (where == null || (body != null && isThere(body, where)))
                    && (unless == null || (body != null && !isThere(body, unless)));
        }
    }

    /// The response that is recorded.
    ///
    /// @param status 2xx or 3xx
    /// @param body where in the answer its body is; null: an empty one
    public record Shape(int status, @Nullable JsonPointer body) {}

    /// What an answer means.
    sealed interface Meaning {
        /// It happened.
        ///
        /// @param body what is to be replayed; null: nobody knows, repeats get 410
        record Executed(@Nullable Integer status, Headers headers, @Nullable Body body) implements Meaning {}

        /// It did not.
        record NotExecuted() implements Meaning {}

        /// Nothing that can be relied on.
        ///
        /// @param why for people and metrics, in a word or two
        record Nothing(String why) implements Meaning {}
    }

    private static boolean isThere(JsonNode body, JsonPointer pointer) {
        JsonNode found = body.at(pointer);
        return !found.isMissingNode() && !found.isNull();
    }

    /// The path and query to ask.
    ///
    /// @param downstreamKey as its forwards carried it; null: none was sent
    /// @param key the caller's
    String target(@Nullable String downstreamKey, String key) {
        return path.replace("{downstream-key}", encoded(downstreamKey == null ? "" : downstreamKey))
                .replace("{key}", encoded(key));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /// Reads what the downstream said. An answer that means both, or neither, means nothing.
    Meaning read(Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered answered)) {
            return new Meaning.Nothing("no-answer");
        }
        Body content = answered.body();
        JsonNode body = content == null ? null : json(content);
        boolean yes = executed != null && executed.holds(answered.status(), body);
        boolean no = notExecuted != null && notExecuted.holds(answered.status(), body);
        if (yes == no) {
            return new Meaning.Nothing(yes ? "contradiction" : "unknown-answer");
        }
        return no ? new Meaning.NotExecuted() : shaped(body);
    }

    private Meaning shaped(@Nullable JsonNode body) {
        if (response == null) {
            return new Meaning.Executed(null, Headers.empty(), null);
        }
        JsonPointer pointer = response.body();
        if (pointer == null) {
            return new Meaning.Executed(response.status(), Headers.empty(), Body.empty());
        }
        if (body == null || !isThere(body, pointer)) {
            return new Meaning.Nothing("no-body-there");
        }
        try {
            Body shaped = Body.of(JSON.writeValueAsBytes(body.at(pointer)));
            return new Meaning.Executed(response.status(), Headers.of("Content-Type", "application/json"), shaped);
        } catch (JsonProcessingException e) {
            return new Meaning.Nothing("unreadable");
        }
    }

    private static @Nullable JsonNode json(Body body) {
        try {
            JsonNode node = JSON.readTree(body.bytes());
            return node.isMissingNode() ? null : node;
        } catch (IOException e) {
            return null;
        }
    }
}

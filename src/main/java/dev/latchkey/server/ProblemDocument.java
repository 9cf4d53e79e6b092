package dev.latchkey.server;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.http.Body;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Refusal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// A refusal as a problem document (RFC 9457) with the members of contract §6, so that programs act without reading the
/// detail.
final class ProblemDocument {

    static final String MEDIA_TYPE = "application/problem+json";

    private static final ObjectMapper JSON = new ObjectMapper();

    private ProblemDocument() {}

    /// @param instance names this very refusal, in its log line too
    static Body of(Refusal refusal, String instance) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            write(json, refusal, instance);
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("plain values cannot fail to be written", e);
        }
        return Body.of(bytes.toByteArray());
    }

    private static void write(JsonGenerator json, Refusal refusal, String instance) throws IOException {
        json.writeStringField("type", "/problems/" + refusal.problem().slug());
        json.writeStringField("title", refusal.problem().title());
        json.writeNumberField("status", refusal.status());
        json.writeStringField("detail", refusal.detail());
        json.writeStringField("instance", instance);
        json.writePOJOField("state", refusal.state() == null ? null : refusal.state().wireName());
        json.writeStringField("forwarded", refusal.forwarded().wireName());
        json.writeBooleanField("retry_same_key", refusal.retrySameKey());
        json.writeBooleanField("new_key_safe", refusal.newKeySafe());
        if (!refusal.differs().isEmpty()) {
            json.writeArrayFieldStart("differs");
            for (String each : refusal.differs()) {
                json.writeString(each);
            }
            json.writeEndArray();
        }
        if (refusal.firstSeen() != null) {
            json.writeStringField("first_seen", refusal.firstSeen().toString());
        }
        if (refusal.problem() == Problem.RESPONSE_GONE) {
            json.writePOJOField("recorded_status", refusal.recordedStatus());
        }
        if (refusal.cause() != null) {
            json.writeStringField("cause", refusal.cause().name());
        }
    }

    /// Any JSON document of ours as bytes.
    static Body bytes(ObjectNode document) {
        try {
            return Body.of(JSON.writeValueAsBytes(document));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of plain values cannot fail to be written", e);
        }
    }
}

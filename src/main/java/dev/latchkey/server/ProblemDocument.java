package dev.latchkey.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.http.Body;
import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Refusal;

/// A refusal as a problem document (RFC 9457) with the members of contract §6, so that programs act without reading the
/// detail.
final class ProblemDocument {

    static final String MEDIA_TYPE = "application/problem+json";

    private static final ObjectMapper JSON = new ObjectMapper();

    private ProblemDocument() {}

    /// @param instance names this very refusal, in its log line too
    static Body of(Refusal refusal, String instance) {
        ObjectNode document = JSON.createObjectNode();
        document.put("type", "/problems/" + refusal.problem().slug());
        document.put("title", refusal.problem().title());
        document.put("status", refusal.status());
        document.put("detail", refusal.detail());
        document.put("instance", instance);
        document.put("state", refusal.state() == null ? null : refusal.state().wireName());
        document.put("forwarded", refusal.forwarded().wireName());
        document.put("retry_same_key", refusal.retrySameKey());
        document.put("new_key_safe", refusal.newKeySafe());
        if (!refusal.differs().isEmpty()) {
            refusal.differs().forEach(document.putArray("differs")::add);
        }
        if (refusal.firstSeen() != null) {
            document.put("first_seen", refusal.firstSeen().toString());
        }
        if (refusal.problem() == Problem.RESPONSE_GONE) {
            document.put("recorded_status", refusal.recordedStatus());
        }
        if (refusal.cause() != null) {
            document.put("cause", refusal.cause().name());
        }
        return bytes(document);
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

package dev.latchkey.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.HeldClaims;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Reads what a claim is to be: how it is held, and that it says what will be done. Safe for any number of threads.
final class ClaimBody {

    private static final String IN_DOUBT = "in-doubt";
    private static final String RELEASE = "release";

    private final Function<String, Duration> durations;

    /// @param durations reads a duration as settings write it; throws IllegalArgumentException
    ClaimBody(Function<String, Duration> durations) {
        this.durations = durations;
    }

    /// How a claim is held.
    ///
    /// @param lease null: the usual
    record Terms(@Nullable Duration lease, boolean releasedOnExpiry) {}

    /// @throws Refusing for what is no claim
    Terms claim(Headers headers, Body body) {
        requireJson(headers);
        ObjectNode node = JsonBody.object(body, ClaimBody::refusing);
        boolean released = releasedOnExpiry(node);
        Duration lease = lease(node);
        node.remove(List.of(HeldClaims.LEASE, HeldClaims.ON_EXPIRY));
        if (node.isEmpty()) {
            throw refusing(
                    "The body does not say what will be done. Name it in a member, such as effect; lease and on_expiry"
                            + " only say how the claim is held.");
        }
        return new Terms(lease, released);
    }

    /// The lease that a renewal asks for; null: the usual.
    ///
    /// @throws Refusing for what is no renewal
    @Nullable
    Duration renewal(Headers headers, Body body) {
        if (body.isEmpty()) {
            return null;
        }
        requireJson(headers);
        ObjectNode node = JsonBody.object(body, ClaimBody::refusing);
        Duration lease = lease(node);
        node.remove(HeldClaims.LEASE);
        if (!node.isEmpty()) {
            throw refusing("A renewal has one member, lease.");
        }
        return lease;
    }

    private @Nullable Duration lease(ObjectNode node) {
        JsonNode value = node.path(HeldClaims.LEASE);
        if (value.isMissingNode() || value.isNull()) {
            return null;
        }
        try {
            Duration lease = value.isTextual() ? durations.apply(value.asText()) : Duration.ZERO;
            if (lease.isPositive()) {
                return lease;
            }
        } catch (IllegalArgumentException _) {
            // Said below, with what is allowed.
        }
        throw refusing("lease is no duration that a claim can hold. Allowed: 250ms, 20s, 5m, 1h.");
    }

    private static boolean releasedOnExpiry(ObjectNode node) {
        JsonNode value = node.path(HeldClaims.ON_EXPIRY);
        if (value.isMissingNode() || value.isNull() || IN_DOUBT.equals(value.textValue())) {
            return false;
        }
        if (RELEASE.equals(value.textValue())) {
            return true;
        }
        throw refusing("on_expiry must be in-doubt, or release where repeating harms nobody.");
    }

    private static void requireJson(Headers headers) {
        List<String> types = headers.all("Content-Type");
        if (types.size() != 1 || !JsonBody.isNamedBy(types.getFirst())) {
            throw refusing("The media type must be application/json.");
        }
        if (headers.has("Content-Encoding")) {
            throw refusing("The body must not be compressed.");
        }
    }

    private static Refusing refusing(String detail) {
        return new Refusing(Problem.REQUEST_INVALID, detail);
    }
}

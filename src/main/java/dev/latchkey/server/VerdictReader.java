package dev.latchkey.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.Verdicts;
import dev.latchkey.http.Body;
import dev.latchkey.http.Header;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Verdict;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A verdict as an operator posts it, read strictly: whatever is unknown or does not belong is refused, with what is
/// allowed. Nothing that was sent is quoted.
final class VerdictReader {

    private static final int LONGEST_REASON = 1_000;
    private static final Pattern FIELD_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}");

    /// Never replayed (contract §7), or ours to say.
    private static final Set<String> NOT_REPLAYED = Set.of(
            "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
            "content-length", "date", "age", "via", "set-cookie", "www-authenticate", "proxy-authenticate",
            "authentication-info", "proxy-authentication-info", "retry-after", "server-timing", "traceparent",
            "idempotency-key", "idempotent-replayed", "idempotency-state", "idempotency-expires",
            "idempotency-recorded-at", "idempotency-settled-by");

    private VerdictReader() {}

    /// A verdict on many.
    ///
    /// @param verdict null: only count what it would be about
    record Many(Verdicts.Filter filter, @Nullable Verdict verdict) {}

    /// @throws Refusing for what is not allowed
    static Verdict single(ObjectNode body, String by) {
        allow(body, "the verdict", "verdict", "reason", "as_of", "response");
        return verdict(body, by);
    }

    /// @throws Refusing for what is not allowed
    static Many many(ObjectNode body, String by) {
        allow(body, "the verdict", "filter", "dry_run", "verdict", "reason", "as_of", "response");
        JsonNode dryRun = body.path("dry_run");
        if (!dryRun.isMissingNode() && !dryRun.isBoolean()) {
            throw refusing("dry_run must be true or false.");
        }
        if (!(body.get("filter") instanceof ObjectNode asked)) {
            throw refusing("filter must be an object with any of route, client, cause; {} is every entry in doubt.");
        }
        allow(asked, "filter", "route", "client", "cause");
        Verdicts.Filter filter = new Verdicts.Filter(
                text(asked, "filter.", "route"), text(asked, "filter.", "client"), text(asked, "filter.", "cause"));
        return new Many(filter, dryRun.asBoolean(false) ? null : verdict(body, by));
    }

    /// The reason of an erasure.
    static String onlyReason(ObjectNode body) {
        allow(body, "the body", "reason");
        return reason(body);
    }

    private static Verdict verdict(ObjectNode body, String by) {
        String said = text(body, "", "verdict");
        String reason = reason(body);
        boolean hasResponse = body.has("response");
        boolean hasTime = body.has("as_of");
        if ("executed".equals(said)) {
            if (hasTime) {
                throw refusing("as_of goes with not-executed only: executed is believed at any time.");
            }
            return hasResponse
                    ? withResponse(body.get("response"), reason, by)
                    : new Verdict.Executed(null, Headers.empty(), null, reason, by);
        }
        if (!"not-executed".equals(said)) {
            throw refusing("verdict must be executed or not-executed.");
        }
        if (hasResponse) {
            throw refusing("response goes with executed only.");
        }
        return new Verdict.NotExecuted(time(body), reason, by);
    }

    private static String reason(ObjectNode body) {
        String reason = text(body, "", "reason");
        if (reason == null || reason.isBlank() || reason.length() > LONGEST_REASON || reason.indexOf('\0') >= 0) {
            throw refusing("reason is required: why, in 1 to " + LONGEST_REASON + " characters, for the history.");
        }
        return reason.strip();
    }

    private static Instant time(ObjectNode body) {
        String text = text(body, "", "as_of");
        if (text == null) {
            throw refusing(
                    "not-executed needs as_of: when the look at the downstream began, by the ledger's clock, as in"
                            + " the now of an answer from before it.");
        }
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException _) {
            throw refusing("as_of is no time. Allowed: RFC 3339, such as 2026-01-04T09:00:00Z.");
        }
    }

    private static Verdict withResponse(JsonNode node, String reason, String by) {
        if (!(node instanceof ObjectNode response)) {
            throw refusing("response must be an object with status, headers, body or body_base64.");
        }
        allow(response, "response", "status", "headers", "body", "body_base64");
        JsonNode status = response.path("status");
        if (!status.isInt() || status.asInt() < 200 || status.asInt() > 399) {
            throw refusing("response.status must be a number from 200 to 399: what was executed has no other. Without a"
                    + " response, repeats get 410.");
        }
        return new Verdict.Executed(status.asInt(), headers(response.path("headers")), body(response), reason, by);
    }

    private static Headers headers(JsonNode node) {
        String allowed = "response.headers must be pairs of strings, as [[\"Content-Type\", \"application/json\"]].";
        if (node.isMissingNode()) {
            return Headers.empty();
        }
        if (!node.isArray()) {
            throw refusing(allowed);
        }
        List<Header> lines = new ArrayList<>();
        for (JsonNode pair : node) {
            if (!pair.isArray() || pair.size() != 2 || !pair.path(0).isTextual() || !pair.path(1).isTextual()) {
                throw refusing(allowed);
            }
            lines.add(header(pair.path(0).asText(), pair.path(1).asText().strip(), lines.size() + 1));
        }
        return new Headers(lines);
    }

    private static Header header(String name, String value, int number) {
        Header line = new Header(name, value);
        String which = "Pair " + number + " of response.headers ";
        if (!FIELD_NAME.matcher(name).matches()) {
            throw refusing(which + "has no field name: letters, digits and hyphens.");
        }
        if (NOT_REPLAYED.contains(line.lowerCaseName())) {
            throw refusing(which + "is a field that is never replayed; leave it out.");
        }
        if (!value.chars().allMatch(c -> c == '\t' || (c >= 0x20 && c <= 0xFF && c != 0x7F))) {
            throw refusing(which + "has a value with a control character, or one past ISO-8859-1.");
        }
        return line;
    }

    private static Body body(ObjectNode response) {
        String text = text(response, "response.", "body");
        String coded = text(response, "response.", "body_base64");
        if (text != null && coded != null) {
            throw refusing("response has both body and body_base64; one is allowed.");
        }
        try {
            return coded == null ? Body.ofUtf8(text == null ? "" : text) : Body.of(Base64.getDecoder().decode(coded));
        } catch (IllegalArgumentException _) {
            throw refusing("response.body_base64 is not Base64 (RFC 4648 §4).");
        }
    }

    private static @Nullable String text(ObjectNode node, String where, String name) {
        JsonNode value = node.path(name);
        if (value.isMissingNode()) {
            return null;
        }
        if (!value.isTextual()) {
            throw refusing(where + name + " must be a string.");
        }
        return value.asText();
    }

    private static void allow(ObjectNode node, String what, String... names) {
        for (Iterator<String> each = node.fieldNames(); each.hasNext();) {
            if (!Arrays.asList(names).contains(each.next())) {
                throw refusing("A member of " + what + " is unknown. Allowed: " + String.join(", ", names) + ".");
            }
        }
    }

    private static Refusing refusing(String detail) {
        return OperatorBodies.refusing(detail);
    }
}

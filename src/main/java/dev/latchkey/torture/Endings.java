package dev.latchkey.torture;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Reads from a gateway how a client's keys ended (contract §13).
public final class Endings {

    private static final int PAGE = 1000;

    private Endings() {}

    /// Every key of the client's that the ledger has an entry of.
    ///
    /// @param caller with the client's token
    /// @throws IOException when the gateway does not tell
    public static Map<String, Ending> read(Caller caller, URI gateway) throws IOException, InterruptedException {
        return read(caller, gateway, Set.of());
    }

    /// The same, newest first, until all of these keys are found; empty: every key.
    static Map<String, Ending> read(Caller caller, URI gateway, Set<String> wanted)
            throws IOException, InterruptedException {
        Map<String, Ending> endings = new HashMap<>();
        String after = "";
        do {
            JsonNode page = caller.get(
                    gateway, "/v1/entries?limit=" + PAGE + (after.isEmpty()
                            ? ""
                            : "&after=" + URLEncoder.encode(after, StandardCharsets.UTF_8)));
            page.path("entries").forEach(entry -> endings.put(entry.path("idempotency_key").asText(), ending(entry)));
            after = page.path("next").asText("");
        } while (!after.isEmpty() && (wanted.isEmpty() || !endings.keySet().containsAll(wanted)));
        return endings;
    }

    private static Ending ending(JsonNode entry) {
        JsonNode status = entry.path("recorded_status");
        return new Ending(
                entry.path("state").asText(), status.isInt() ? status.asInt() : null,
                entry.path("attempts").asInt());
    }
}

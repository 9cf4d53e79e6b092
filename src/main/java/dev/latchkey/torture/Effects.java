package dev.latchkey.torture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.protocol.DownstreamKey;
import dev.latchkey.protocol.IdempotencyKey;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/// How often each effect happened, as a sandbox counted them. Immutable.
public final class Effects {

    /// How many corrections of one key are looked for.
    private static final int CORRECTIONS = 3;

    private final Map<String, Integer> byDownstreamKey;

    private Effects(Map<String, Integer> byDownstreamKey) {
        this.byDownstreamKey = byDownstreamKey;
    }

    /// Reads them, payments and notifications alike.
    ///
    /// @throws IOException when the sandbox does not tell, or has forgotten effects
    public static Effects read(Caller caller, URI sandbox) throws IOException, InterruptedException {
        JsonNode tally = caller.get(sandbox, "/effects");
        if (tally.path("forgotten").asLong() > 0) {
            throw new IOException("the sandbox has forgotten effects: it was sent too many");
        }
        Map<String, Integer> all = new HashMap<>();
        for (String kind : new String[] {"payments", "notifications"}) {
            tally.path(kind).properties().forEach(each -> all.merge(
                    each.getKey(), each.getValue().asInt(), Integer::sum));
        }
        return new Effects(all);
    }

    /// How often the effect of a key happened, on a route that sends a derived key.
    ///
    /// @param client the client's oldest name
    public int of(String client, String key) {
        int times = 0;
        for (int correction = 0; correction <= CORRECTIONS; correction++) {
            times += of(DownstreamKey.derive(client, IdempotencyKey.of(key), correction));
        }
        return times;
    }

    /// How often it happened under the key that the sandbox was sent.
    public int of(String downstreamKey) {
        return byDownstreamKey.getOrDefault(downstreamKey, 0);
    }
}

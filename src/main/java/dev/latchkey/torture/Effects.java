package dev.latchkey.torture;

import com.fasterxml.jackson.databind.JsonNode;
import dev.latchkey.protocol.DownstreamKey;
import dev.latchkey.protocol.IdempotencyKey;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/// How often each effect happened, as a sandbox counted them. Immutable.
public final class Effects {

    /// How many corrections of one key are looked for.
    private static final int CORRECTIONS = 3;

    private final Map<String, Integer> byName;

    private Effects(Map<String, Integer> byName) {
        this.byName = byName;
    }

    /// Reads them, payments and notifications alike.
    ///
    /// @throws IOException when the sandbox does not tell, or has forgotten effects
    public static Effects read(Caller caller, URI sandbox) throws IOException, InterruptedException {
        return readSince(caller, sandbox, 0);
    }

    /// Reads them. A sandbox forgets the oldest effects; none that happened since then may be among those.
    ///
    /// @param before how many had happened then
    /// @throws IOException when the sandbox does not tell, or has forgotten effects since then
    static Effects readSince(Caller caller, URI sandbox, long before) throws IOException, InterruptedException {
        JsonNode tally = caller.get(sandbox, "/effects");
        long total = tally.path("total").asLong();
        if (total < before) {
            throw new IOException("the sandbox was started anew meanwhile and has forgotten what it did");
        }
        if (tally.path("forgotten").asLong() > before) {
            throw new IOException("the sandbox has forgotten effects: it was sent too many");
        }
        Map<String, Integer> all = new HashMap<>();
        for (String kind : new String[] {"payments", "notifications"}) {
            tally.path(kind).properties().forEach(each -> all.merge(
                    each.getKey(), each.getValue().asInt(), Integer::sum));
        }
        return new Effects(all);
    }

    /// Whether what answered there counts effects as a sandbox does.
    static boolean areIn(JsonNode answer) {
        return answer.path("payments").isObject() && answer.path("notifications").isObject()
                && answer.path("total").isIntegralNumber() && answer.path("forgotten").isIntegralNumber();
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
        return byName.getOrDefault(downstreamKey, 0);
    }

    /// How often it happened under no key, by that body.
    int ofBody(String body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body.getBytes(StandardCharsets.UTF_8));
            return of("sha256:" + HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// How many have happened since the sandbox started.
    static long total(Caller caller, URI sandbox) throws IOException, InterruptedException {
        return caller.get(sandbox, "/effects").path("total").asLong();
    }
}

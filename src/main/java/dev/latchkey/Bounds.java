package dev.latchkey;

import dev.latchkey.config.Clients;
import dev.latchkey.config.Limits;
import dev.latchkey.config.Settings;
import dev.latchkey.gateway.ClientBounds;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Places;
import java.util.HashMap;
import java.util.Map;

/// Makes bounds on forwards of settings.
final class Bounds {

    private Bounds() {}

    static Places places(Settings settings, Clocks clocks) {
        Map<String, Integer> routes = new HashMap<>();
        settings.routes().forEach(route -> routes.put(route.name(), route.downstream().maxConcurrent()));
        return new Places(settings.limits().forwards(), clients(settings, clocks), routes);
    }

    private static ClientBounds clients(Settings settings, Clocks clocks) {
        Limits limits = settings.limits();
        Map<String, ClientBounds.Bound> own = new HashMap<>();
        if (settings.clients() instanceof Clients.Listed listed) {
            listed.clients().forEach(client -> own.put(client.oldestName(), new ClientBounds.Bound(
                    client.bounds().forwardsOr(limits.clientForwards()),
                    client.bounds().callsPerSecondOr(limits.clientCallsPerSecond()))));
        }
        return new ClientBounds(
                new ClientBounds.Bound(limits.clientForwards(), limits.clientCallsPerSecond()), own, clocks);
    }
}

package dev.latchkey.torture;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/// What is tortured: a route of running gateways that leads to a sandbox. Immutable.
///
/// @param gateways replicas on one ledger
/// @param route the route's name
/// @param path where a call makes one effect
/// @param sandbox its downstream
/// @param client oldest name of the client that calls
/// @param counting what the sandbox counts the effects by
/// @param timeout the route's
/// @param lease how long a claim on it holds
/// @param changes whether a changed request is another one to the gateway
public record Target(
        List<URI> gateways, String route, String path, URI sandbox, String client, Counting counting, Duration timeout,
        Duration lease, boolean changes) {

    /// The longest delay that a sandbox takes.
    private static final Duration LONGEST_DELAY = Duration.ofMinutes(10);

    private static final List<String> QUICK =
            List.of("status=500", "status=429", "status=422", "drop-before", "drop-after");
    private static final int QUICK_TO_SLOW = 4;

    /// What a sandbox counts an effect by.
    public enum Counting {
        DERIVED_KEY, CALLERS_KEY, BODY;

        private int of(Effects effects, String client, String key) {
            return switch (this) {
                case DERIVED_KEY -> effects.of(client, key);
                case CALLERS_KEY -> effects.of(key);
                case BODY -> Load.requests(key).stream().mapToInt(effects::ofBody).sum();
            };
        }
    }

    public Target {
        gateways = List.copyOf(gateways);
    }

    /// How often a key took effect.
    int effects(Effects all, String key) {
        return counting.of(all, client, key);
    }

    /// Races, repeats, changed requests, and each fault that a sandbox knows. The slow ones are rare: each holds a caller up
    /// for as long. They end in time, after the timeout while the gateway still reads on, and after the lease.
    Mix mix(int callers) {
        List<String> faults = new java.util.ArrayList<>();
        for (int i = 0; i < QUICK_TO_SLOW; i++) {
            faults.addAll(QUICK);
        }
        Duration readsOn = lease.minus(timeout).minusSeconds(1);
        for (Duration delay : List.of(
                timeout.dividedBy(2), timeout.plus(readsOn.dividedBy(2)), lease.plusSeconds(1))) {
            if (delay.compareTo(LONGEST_DELAY) <= 0) {
                faults.add("delay=" + delay.toMillis() + "ms");
            }
        }
        return new Mix(callers, 30, 40, changes ? 25 : 0, 20, faults);
    }
}

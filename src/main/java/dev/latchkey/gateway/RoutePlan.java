package dev.latchkey.gateway;

import dev.latchkey.http.Headers;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.Route;
import java.util.Set;
import java.util.function.Supplier;

/// A route as the gateway carries it out.
///
/// @param policy what the protocol knows of it
/// @param downstream where it leads
/// @param key how the downstream key is sent
/// @param ownHeaders put on every forward; read anew each time, for they hold credentials that may be renewed
/// @param replayHeaders names, in lower case, that are replayed besides the usual ones
/// @param fingerprint what its fingerprints take in and leave out
public record RoutePlan(
        Route policy,
        Downstream downstream,
        KeySending key,
        Supplier<Headers> ownHeaders,
        Set<String> replayHeaders,
        FingerprintPolicy fingerprint) {

    public RoutePlan {
        replayHeaders = Set.copyOf(replayHeaders);
    }
}

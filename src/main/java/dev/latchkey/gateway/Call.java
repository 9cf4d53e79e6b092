package dev.latchkey.gateway;

import dev.latchkey.http.Request;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.telemetry.Trace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A request that passed every check that needs neither fingerprint nor ledger.
///
/// @param caller who calls
/// @param door the route it is for
/// @param pathBelow below the route's prefix, undecoded: empty, or begins with a slash
/// @param request read whole; without the caller's credential (`Authorization`, `Latchkey-Token`)
/// @param key the caller's, or derived from the body; null: to be forwarded without a key
/// @param patience how long the caller asked to wait for a forward under way, already capped; null: it did not say
/// @param origin how it came
/// @param trace how it goes, for those who look
public record Call(
        Caller caller, Door door, String pathBelow, Request request, @Nullable IdempotencyKey key,
        @Nullable Duration patience, Origin origin, Trace trace) {}

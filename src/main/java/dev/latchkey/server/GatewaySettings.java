package dev.latchkey.server;

import dev.latchkey.gateway.Door;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the gateway's own port behaves.
///
/// @param host address or name to bind to
/// @param port 0: any free one
/// @param doors the routes
/// @param clients who may call
/// @param requestBody bytes allowed in one request body
/// @param headerFields bytes allowed for request line and header fields together
/// @param longestWait cap of `Prefer: wait`
/// @param idle how long a connection may be silent; balancers in front should close theirs earlier
/// @param pace how slow a caller may be
/// @param standing bytes of bodies and answers that callers may leave standing
/// @param batches what batches may take up
/// @param tls null: plain HTTP
public record GatewaySettings(
        String host, int port, List<Door> doors, Clients clients, long requestBody, int headerFields,
        Duration longestWait,
        Duration idle, CallerPace pace, long standing, BatchLimits batches, @Nullable Tls tls) {

    /// The usual silence: longer than balancers commonly keep a connection.
    public static final Duration USUAL_IDLE = Duration.ofSeconds(75);

    public GatewaySettings {
        doors = List.copyOf(doors);
    }
}

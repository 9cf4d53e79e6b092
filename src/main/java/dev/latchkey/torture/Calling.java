package dev.latchkey.torture;

import java.net.URI;
import java.util.Map;
import java.util.Optional;

/// How a load reaches gateways. Safe for any number of threads.
public interface Calling {

    /// Posts a request under a key.
    ///
    /// @param more further header fields
    /// @return empty: no answer came
    Optional<Told> post(URI gateway, String path, String key, String body, Map<String, String> more)
            throws InterruptedException;
}

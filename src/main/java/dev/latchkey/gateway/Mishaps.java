package dev.latchkey.gateway;

import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// What a thread survives that all depend on: each kind is said once, for it may come again with each round. Safe for any
/// number of threads.
final class Mishaps {

    private final Log log;
    private final Set<Class<?>> said = ConcurrentHashMap.newKeySet();

    Mishaps(Log log) {
        this.log = log;
    }

    /// Says it, unless one of its kind has been said; never throws.
    void survived(Throwable failure) {
        try {
            if (said.add(failure.getClass())) {
                log.failure(LogEvent.FAILED, failure);
            }
        } catch (RuntimeException | Error _) {
            // What cannot even be said, for want of memory perhaps, must not end the thread.
        }
    }
}

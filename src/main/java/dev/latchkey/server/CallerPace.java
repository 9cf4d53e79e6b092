package dev.latchkey.server;

import java.time.Duration;

/// How slow a caller may be. A caller who keeps neither the time nor the rate would hold a connection, a thread and memory
/// for as long as it likes. Immutable.
///
/// @param time for a request's header fields in all; for a body or an answer, before the rate counts
/// @param bytesPerSecond what a body or an answer must move at least, beyond that time
public record CallerPace(Duration time, long bytesPerSecond) {

    private static final double NANOS = 1e9;

    /// For ports that nobody sets it for.
    public static final CallerPace USUAL = new CallerPace(Duration.ofSeconds(30), 16 * 1024L);

    /// Whether so many bytes are no fewer than the rate asks for in such a time.
    boolean isRateKept(long bytes, long nanos) {
        return bytes >= bytesPerSecond * (nanos / NANOS);
    }

    /// How long moving so many bytes may take in all, in nanoseconds.
    long nanosFor(long bytes) {
        return time.toNanos() + (long) (bytes / (double) bytesPerSecond * NANOS);
    }
}

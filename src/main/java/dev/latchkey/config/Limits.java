package dev.latchkey.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// `limits`: what a replica takes on. Sizes in bytes.
///
/// @param requestBody the largest request body
/// @param responseBody the largest response body that is recorded
/// @param headerFields the request line and the header fields together
/// @param forwards forwards under way on a replica
/// @param clientForwards of those, for one client
/// @param clientCallsPerSecond claims and forwards, for one client; null: no bound
/// @param waiting calls waiting on a replica
/// @param bytes bodies held at once
/// @param callerTime a request's header fields in all; a body or an answer, before the rate counts
/// @param callerRate what a body or an answer moves at least each second, beyond that time
/// @param batch lines under way of one batch
/// @param batches lines under way of all batches
/// @param batchBytes lines and answers that one batch holds
public record Limits(
        long requestBody,
        long responseBody,
        long headerFields,
        int forwards,
        int clientForwards,
        @Nullable Integer clientCallsPerSecond,
        int waiting,
        long bytes,
        Duration callerTime,
        long callerRate,
        int batch,
        int batches,
        long batchBytes) {

    public Limits {
        new Checks()
                .sizeBetween(requestBody, 0, SizeText.GIB, "request-body")
                .sizeBetween(responseBody, 0, SizeText.GIB, "response-body")
                .sizeBetween(headerFields, SizeText.KIB, SizeText.MIB, "header-fields")
                .between(forwards, 1, 1_000_000, "forwards")
                .between(clientForwards, 1, 1_000_000, "client-forwards")
                .between(clientCallsPerSecond == null ? 1 : clientCallsPerSecond, 1, 1_000_000,
                        "client-calls-per-second")
                .between(waiting, 0, 1_000_000, "waiting")
                .sizeBetween(bytes, 1, SizeText.LARGEST, "bytes")
                .atLeast(callerTime, Duration.ofMillis(100), "caller-time")
                .sizeBetween(callerRate, 1, SizeText.GIB, "caller-rate")
                .between(batch, 1, 1_000_000, "batch")
                .between(batches, 1, 1_000_000, "batches")
                .sizeBetween(batchBytes, 1, SizeText.LARGEST, "batch-bytes")
                .done();
    }

    public static Limits defaults() {
        return new Limits(
                SizeText.MIB, 4 * SizeText.MIB, 16 * SizeText.KIB, 1024, 1024, null, 10_000, quarterOfTheHeap(),
                Duration.ofSeconds(30), 16 * SizeText.KIB, 32, 128,
                quarterOf(quarterOfTheHeap()));
    }

    /// What one batch holds unless the settings say otherwise, so that one alone never makes other calls be refused.
    static long quarterOf(long bytes) {
        return Math.max(1, bytes / 4);
    }

    private static long quarterOfTheHeap() {
        return Math.clamp(Runtime.getRuntime().maxMemory() / 4, 1, SizeText.LARGEST);
    }
}

package dev.latchkey.server;

import dev.latchkey.gateway.Answer;
import dev.latchkey.gateway.Caller;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.util.concurrent.atomic.AtomicLong;

/// What one batch came to, for its line in the log. Safe for any number of threads.
final class BatchCount {

    private static final Log LOG = Log.of(BatchCount.class);

    private final Clocks clocks;
    private final long start;
    private final AtomicLong fresh = new AtomicLong();
    private final AtomicLong replayed = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();

    BatchCount(Clocks clocks) {
        this.clocks = clocks;
        this.start = clocks.nanos();
    }

    void answered(Answer answer) {
        AtomicLong kind = switch (answer) {
            case Answer.Delivered delivered -> delivered.replayed() ? replayed : fresh;
            case Answer.Streamed _ -> fresh;
            case Answer.Refused _ -> refused;
        };
        kind.incrementAndGet();
    }

    /// An answer was handed to the connection.
    void sent() {
        sent.incrementAndGet();
    }

    /// Writes the batch's line.
    ///
    /// @param whole whether its caller sent all of it and was sent every answer
    void tell(Caller caller, String instance, boolean whole) {
        LOG.info(
                LogEvent.BATCH,
                "client", caller.name(),
                "fresh", fresh.get(),
                "replayed", replayed.get(),
                "refused", refused.get(),
                "sent", sent.get(),
                "whole", whole,
                "instance", instance,
                "millis", (clocks.nanos() - start) / 1_000_000);
    }
}

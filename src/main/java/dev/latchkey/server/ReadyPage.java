package dev.latchkey.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.http.Headers;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Whether this replica should get calls. It stays ready while the ledger is away, since memory still replays, and says so.
/// Safe for any number of threads.
public final class ReadyPage {

    private final Drain drain;
    private volatile @Nullable Supplier<Ledger.Health> ledger;

    public ReadyPage(Drain drain) {
        this.drain = drain;
    }

    /// The start is over.
    ///
    /// @param health of the ledger; asked at each probe, so it must answer at once
    public void started(Supplier<Ledger.Health> health) {
        ledger = health;
    }

    /// Whether it should.
    public boolean isReady() {
        return reply().status() == 200;
    }

    Reply reply() {
        Supplier<Ledger.Health> asked = ledger;
        if (drain.isLeaving()) {
            return status(503, "draining", "this replica is shutting down");
        }
        if (asked == null) {
            return status(503, "starting", "not everything runs yet");
        }
        Ledger.Health health = asked.get();
        if (!health.schemaFits()) {
            return status(503, "wrong-schema", health.problem());
        }
        return health.problem() == null
                ? status(200, "ready", null)
                : status(200, "ready", "the ledger cannot be used: " + health.problem()
                        + ". Only what is in memory is replayed");
    }

    private static Reply status(int code, String status, @Nullable String reason) {
        ObjectNode document = EntryJson.object();
        document.put("status", status);
        if (reason != null) {
            document.put("reason", reason);
        }
        return Reply.of(
                code,
                Headers.of("Content-Type", "application/json", "Cache-Control", "no-store"),
                ProblemDocument.bytes(document));
    }
}

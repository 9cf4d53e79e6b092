package dev.latchkey.e2e;

import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Debugger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// A gateway that can be stopped at a named point, and has forwarded a call already, so that every class is loaded.
///
/// @param replica the gateway
/// @param debugger what stops it
record StoppableReplica(Replica replica, Debugger debugger) implements AutoCloseable {

    /// A virtual thread that is stopped keeps its carrier.
    private static final String CARRIERS = "-Djdk.virtualThreadScheduler.parallelism=8";

    /// @param warmUp a path that a call may be forwarded to
    static StoppableReplica start(Path folder, String settings, String warmUp) {
        Replica replica = Replica.start(
                folder, settings, Debugger.OPTION, CARRIERS, "-Xmx128m");
        try {
            Debugger debugger = Debugger.attach(replica.program().awaitLine(Debugger::isInvited));
            await("a first call").until(() -> post(replica, warmUp, Canary.key()).status() == 201);
            return new StoppableReplica(replica, debugger);
        } catch (RuntimeException | Error e) {
            replica.close();
            throw e;
        }
    }

    static Exchange post(Replica replica, String path, String key, String... lines) {
        try (RawCall call = begin(replica, path, key, lines)) {
            return call.answer();
        }
    }

    /// Sends a call and does not wait for its answer.
    static RawCall begin(Replica replica, String path, String key, String... lines) {
        String[] head = new String[lines.length + 4];
        head[0] = "Authorization: Bearer " + Client.ALICE.token();
        head[1] = "Idempotency-Key: " + key;
        head[2] = "Content-Type: application/json";
        head[3] = "Content-Length: 2";
        System.arraycopy(lines, 0, head, 4, lines.length);
        return RawCall.to(replica).send("POST", path, head).write("{}".getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() {
        replica.close();
        debugger.close();
    }
}

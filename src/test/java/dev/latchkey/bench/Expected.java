package dev.latchkey.bench;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// What every answer must be, lest errors are measured. Immutable.
final class Expected {

    private static final byte[] REPLAYED = "idempotent-replayed:".getBytes(StandardCharsets.US_ASCII);

    private final int status;
    private final @Nullable Boolean replayed;
    private final int length;

    /// @param replayed what `Idempotent-Replayed` says; null: it is not there
    /// @param length of the body
    Expected(int status, @Nullable Boolean replayed, int length) {
        this.status = status;
        this.replayed = replayed;
        this.length = length;
    }

    /// @throws IllegalStateException where it is another
    void check(byte[] bytes, int head, int count) {
        int found = (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + bytes[11] - '0';
        if (found != status || count - head != length || !saysReplayed(bytes, head)) {
            throw new IllegalStateException("not the answer that was expected (" + status + ", replayed: " + replayed
                    + ", " + length + " bytes):\n" + new String(bytes, 0, count, StandardCharsets.ISO_8859_1));
        }
    }

    private boolean saysReplayed(byte[] bytes, int head) {
        int at = Frame.find(bytes, head, REPLAYED);
        if (replayed == null || at < 0) {
            return replayed == null && at < 0;
        }
        return bytes[at + REPLAYED.length + 1] == (replayed ? 't' : 'f');
    }
}

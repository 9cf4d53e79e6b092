package dev.latchkey.downstream;

import dev.latchkey.gateway.Downstream.Overflow;
import dev.latchkey.http.Body;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Keeps a response body up to the cap; what is larger goes to the overflow, and nothing of it is kept. Grows with what
/// really came: a length is only a promise. One thread.
final class BodySink {

    private static final int START = 8 * 1024;

    private final ResponseHead head;
    private final long length;
    private final int cap;
    private final Overflow overflow;
    private byte[] kept = new byte[0];
    private int count;
    private boolean over;

    /// @param length the whole length; negative: not known
    BodySink(ResponseHead head, long length, int cap, Overflow overflow) {
        this.head = head;
        this.length = length;
        this.cap = cap;
        this.overflow = overflow;
    }

    void add(byte[] bytes, int size) {
        if (over) {
            overflow.more(Arrays.copyOf(bytes, size));
        } else if (length > cap || (long) count + size > cap) {
            over = true;
            overflow.begin(head.status(), head.headers(), Body.of(Arrays.copyOf(kept, count)), length);
            kept = new byte[0];
            overflow.more(Arrays.copyOf(bytes, size));
        } else {
            keep(bytes, size);
        }
    }

    private void keep(byte[] bytes, int size) {
        if (count + size > kept.length) {
            int wanted = Math.max(Math.max(START, kept.length * 2), count + size);
            int most = length >= 0 ? (int) length : cap;
            kept = Arrays.copyOf(kept, Math.min(wanted, most));
        }
        System.arraycopy(bytes, 0, kept, count, size);
        count += size;
    }

    /// The body; null: it went to the overflow.
    @Nullable
    Body body() {
        return over ? null : Body.of(count == kept.length ? kept : Arrays.copyOf(kept, count));
    }
}

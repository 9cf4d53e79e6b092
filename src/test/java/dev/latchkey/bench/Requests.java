package dev.latchkey.bench;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Prepared requests that differ in nothing but the number in their key, and what answers them. Safe for any number of
/// threads.
final class Requests {

    /// A payment as a pipeline sends it.
    static final String BODY = "{\"amount\":25.50,\"currency\":\"EUR\",\"customer\":\"cus_182b8cd6601247325cc66785\","
            + "\"reference\":\"order-paid:1001:2026-01-04\",\"metadata\":{\"run\":\"2026-01-04\",\"step\":7}}";

    private static final int DIGITS = 12;

    private final byte[] bytes;
    private final int digits;
    private final long count;
    private final AtomicLong next = new AtomicLong();
    private final Expected expected;

    private Requests(String head, int digits, long count, Expected expected) {
        this.bytes = (head + "\r\n" + BODY).getBytes(StandardCharsets.US_ASCII);
        this.digits = digits;
        this.count = count;
        this.expected = expected;
    }

    /// Each with a key of its own, answered afresh.
    ///
    /// @param keys what the keys begin with
    static Requests first(String keys) {
        return keyed(keys, Long.MAX_VALUE, false);
    }

    /// Those that [#first] made first, answered by a replay.
    ///
    /// @param count how many there are
    static Requests again(String keys, long count) {
        return keyed(keys, count, true);
    }

    private static Requests keyed(String keys, long count, boolean replayed) {
        String head = head("POST") + "Idempotency-Key: \"" + keys + "-";
        return new Requests(
                head + "0".repeat(DIGITS) + "\"\r\n", head.length(), count,
                new Expected(201, replayed, FixedDownstream.BODY.length()));
    }

    /// Without a key: forwarded past the ledger.
    ///
    /// @param replayed what the answer says of it; null: nothing
    static Requests unkeyed(int status, @Nullable Boolean replayed) {
        return new Requests(head("POST"), -1, 1, new Expected(status, replayed, FixedDownstream.BODY.length()));
    }

    private static String head(String method) {
        return method + " /payments HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
                + BODY.length() + "\r\n";
    }

    /// Puts the next one into an empty buffer and makes that ready to be sent.
    void next(ByteBuffer into) {
        into.clear();
        into.put(bytes);
        if (digits >= 0) {
            long number = next.getAndIncrement() % count;
            for (int i = digits + DIGITS - 1; i >= digits; i--) {
                into.put(i, (byte) ('0' + number % 10));
                number /= 10;
            }
        }
        into.flip();
    }

    Expected expected() {
        return expected;
    }

    /// The most bytes that one has.
    int size() {
        return bytes.length;
    }
}

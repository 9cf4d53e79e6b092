package dev.latchkey.bench.micro;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Request;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.FingerprintPolicy;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// A request's fingerprint: of orders from small to as large as is allowed, and of JSON made to be dear.
@State(Scope.Benchmark)
public class FingerprintBenchmark {

    private static final int LARGEST = 1 << 20;
    private static final int HOSTILE = 64 * 1024;

    @Param({
        "50B", "2KiB", "64KiB", "1MiB", "deep-64KiB", "too-deep-64KiB", "numbers-64KiB", "one-number-64KiB",
        "members-64KiB",
        "escapes-64KiB"})
    public String body = "";

    private Request request = request("");

    @Setup
    public void prepare() {
        request = request(text(body));
    }

    @Benchmark
    public Object fingerprint() {
        return Fingerprint.of(request, FingerprintPolicy.PLAIN, LARGEST);
    }

    private static String text(String name) {
        return switch (name) {
            case "50B" -> "{\"amount\":25.50,\"currency\":\"EUR\",\"order\":\"1001-77\"}";
            case "2KiB" -> orders(2 * 1024);
            case "64KiB" -> orders(64 * 1024);
            case "1MiB" -> orders(LARGEST);
            case "deep-64KiB" -> times(HOSTILE / 1_000, "[".repeat(499) + "]".repeat(499));
            case "too-deep-64KiB" -> "[".repeat(HOSTILE / 2) + "]".repeat(HOSTILE / 2);
            case "numbers-64KiB" -> times(HOSTILE / 14, "1e-999999999");
            case "one-number-64KiB" -> "9".repeat(HOSTILE);
            case "members-64KiB" -> members();
            case "escapes-64KiB" -> "\"" + "\\u00e9\\n".repeat(HOSTILE / 8) + "\"";
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static String orders(int size) {
        String order =
                "{\"reference\":\"order-shipped:1001:2026-01-04\",\"amount\":25.50,\"currency\":\"EUR\",\"count\":3}";
        return times(Math.max(1, size / (order.length() + 1)), order);
    }

    private static String times(int count, String value) {
        return IntStream.range(0, count).mapToObj(i -> value).collect(Collectors.joining(",", "[", "]"));
    }

    /// In no order: they must be sorted.
    private static String members() {
        int count = HOSTILE / 14;
        return IntStream.range(0, count).mapToObj(i -> "\"%06x\":%d".formatted(i * 7_919L % 0xFFFFFF, i % 1_000))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static Request request(String text) {
        return new Request("POST", "/payments", null, Headers.of("Content-Type", "application/json"),
                Body.ofUtf8(text));
    }
}

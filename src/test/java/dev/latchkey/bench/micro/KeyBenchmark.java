package dev.latchkey.bench.micro;

import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.IdempotencyKey;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// From a field line to a key, and from a key to its entry's id.
@State(Scope.Benchmark)
public class KeyBenchmark {

    private final List<String> bare = List.of("order-shipped:1001:2026-01-04");
    private final List<String> structured = List.of("\"order-shipped:1001:2026-01-04\"");
    private final List<String> long255 = List.of("\"" + "k".repeat(255) + "\"");
    private final IdempotencyKey key = IdempotencyKey.of("order-shipped:1001:2026-01-04");

    @Benchmark
    public Object bareKey() {
        return IdempotencyKey.parse(bare);
    }

    @Benchmark
    public Object structuredKey() {
        return IdempotencyKey.parse(structured);
    }

    @Benchmark
    public Object longestKey() {
        return IdempotencyKey.parse(long255);
    }

    @Benchmark
    public Object entryId() {
        return EntryId.of("pipelines", key);
    }
}

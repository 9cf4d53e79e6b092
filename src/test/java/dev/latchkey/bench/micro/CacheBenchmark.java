package dev.latchkey.bench.micro;

import dev.latchkey.gateway.FullCache;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// Finding a recorded response in memory.
@State(Scope.Benchmark)
public class CacheBenchmark {

    private static final int COUNT = 10_000;
    private static final int STRIDE = 7_919;

    private final FullCache cache = new FullCache(COUNT);
    private int number;

    @Benchmark
    public Object cacheHit() {
        number = (number + STRIDE) % COUNT;
        return cache.find(number);
    }
}

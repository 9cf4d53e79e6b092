package dev.latchkey.bench.table;

import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.LedgerCases;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/// First calls as the ledger sees them, each with a key of its own.
final class LedgerCalls {

    private static final Body BODY = Body.ofUtf8("{\"note\":\"" + "n".repeat(289) + "\"}");
    private static final Transition.Record RECORD = new Transition.Record(
            201, Headers.of("Content-Type", "application/json"), BODY, false, Retention.usual());

    private final SystemClocks clocks = new SystemClocks();
    private final Ask like = new LedgerCases().key().ask();

    /// What came of a while.
    ///
    /// @param rate a second
    /// @param windows how long each took, in nanoseconds, from when it was due: windows of equal length, or one
    record Seen(double rate, List<Histogram> windows) {

        double millis(double percentile) {
            return Windows.millis(windows, percentile);
        }
    }

    private Claim claim() {
        IdempotencyKey key = IdempotencyKey.of(UUID.randomUUID().toString());
        Ask ask = new Ask(
                EntryId.of("pipelines", key), "pipelines", key, like.route(), like.fingerprint(), like.digest(),
                like.method(), like.target());
        return new Claim(ask, ThreadLocalRandom.current().nextLong(), new Grounds.NoEntry());
    }

    private void claimOnly(Ledger ledger) {
        if (!(ledger.claim(claim()) instanceof Ledger.Claimed.Won)) {
            throw new IllegalStateException("a fresh key was lost");
        }
    }

    private void whole(Ledger ledger) {
        Claim claim = claim();
        if (!(ledger.claim(claim) instanceof Ledger.Claimed.Won)
                || !(ledger.settle(claim.ask().id(), claim.attempt(), RECORD) instanceof Ledger.Settled.Applied)) {
            throw new IllegalStateException("a fresh key was lost");
        }
    }

    /// So many callers claim one key after the other.
    Seen claims(Ledger ledger, int callers, Duration time) throws Exception {
        AtomicLong done = new AtomicLong();
        Histogram nanos = new ConcurrentHistogram(3);
        long start = clocks.nanos();
        each(callers, () -> {
            for (long now = clocks.nanos(); now - start < time.toNanos();) {
                claimOnly(ledger);
                long then = clocks.nanos();
                nanos.recordValue(then - now);
                done.incrementAndGet();
                now = then;
            }
        });
        return new Seen(done.get() * 1e9 / (clocks.nanos() - start), List.of(nanos));
    }

    /// So many callers make so many whole calls each.
    void calls(Ledger ledger, int callers, int each) throws Exception {
        each(callers, () -> {
            for (int i = 0; i < each; i++) {
                whole(ledger);
            }
        });
    }

    /// Whole calls at a fixed rate, whoever is slow: what comes late counts from when it was due.
    ///
    /// @param window how long each window of what is seen is
    /// @param count how many windows
    Seen openLoop(Ledger ledger, double rate, Duration window, int count) throws Exception {
        long start = clocks.nanos();
        return openLoop(ledger, rate, window, () -> clocks.nanos() - start < window.toNanos() * count);
    }

    /// The same, as long as something else goes on.
    Seen openLoop(Ledger ledger, double rate, Duration window, BooleanSupplier goesOn) throws Exception {
        Windows windows = new Windows(window);
        AtomicReference<@Nullable RuntimeException> broken = new AtomicReference<>();
        long calls = 0;
        long start = clocks.nanos();
        long end = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (; goesOn.getAsBoolean(); calls++) {
                long due = start + Math.round(calls * 1e9 / rate);
                long early = due - clocks.nanos();
                if (early > 0) {
                    clocks.sleep(Duration.ofNanos(early));
                }
                Histogram nanos = windows.at(due - start);
                threads.execute(() -> {
                    try {
                        whole(ledger);
                        nanos.recordValue(clocks.nanos() - due);
                    } catch (RuntimeException e) {
                        broken.compareAndSet(null, e);
                    }
                });
            }
            end = clocks.nanos() - start;
        }
        RuntimeException why = broken.get();
        if (why != null) {
            throw why;
        }
        return new Seen(calls * 1e9 / (clocks.nanos() - start), windows.whole(end));
    }

    private static void each(int callers, Runnable work) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = java.util.stream.IntStream.range(0, callers).mapToObj(i -> threads.submit(work)).toList();
            for (var each : all) {
                each.get();
            }
        }
    }
}

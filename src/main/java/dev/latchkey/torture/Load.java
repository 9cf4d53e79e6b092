package dev.latchkey.torture;

import dev.latchkey.gateway.Clocks;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/// Many keys, each called as a pipeline calls: at times several times at once, again where no answer or no final one came,
/// and again once all is done. A witness hears every answer. The seed decides what each key goes through; what answers come
/// is up to the gateways. Safe for any number of threads.
public final class Load {

    private static final int TRIES = 8;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Supplier<List<URI>> gateways;
    private final String path;
    private final Calling caller;
    private final Witness witness;
    private final Mix mix;
    private final long seed;
    private final Clocks clocks;
    private final String run;
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicInteger turn = new AtomicInteger();
    private int begun;

    /// @param gateways where to call, asked before each call: one that was killed may come back elsewhere
    /// @param path of a route whose downstream makes one effect of one request
    public Load(
            Supplier<List<URI>> gateways, String path, Calling caller, Witness witness, Mix mix, long seed,
            Clocks clocks) {
        this.gateways = gateways;
        this.path = path;
        this.caller = caller;
        this.witness = witness;
        this.mix = mix;
        this.seed = seed;
        this.clocks = clocks;
        this.run = Long.toString(clocks.now().toEpochMilli(), Character.MAX_RADIX);
    }

    /// Calls one key after the other, several at once, and returns when all of them have had their calls.
    ///
    /// @param goesOn asked with the number of keys begun so far, before each one
    public void run(IntPredicate goesOn) throws InterruptedException {
        inParallel(() -> {
            for (int number = next(goesOn); number >= 0; number = next(goesOn)) {
                new Story(number).run();
                ended.incrementAndGet();
            }
        });
    }

    /// Calls every key once more, so that the witness hears what is said of them in the end.
    public void repeatAll() throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        int all = begun();
        inParallel(() -> {
            for (int number = next.getAndIncrement(); number < all; number = next.getAndIncrement()) {
                Story story = new Story(number);
                story.again(story.request(0));
            }
        });
    }

    private synchronized int next(IntPredicate goesOn) {
        return goesOn.test(begun) ? begun++ : -1;
    }

    private synchronized int begun() {
        return begun;
    }

    /// How many keys have had all their calls.
    public int ended() {
        return ended.get();
    }

    /// What is asked under a key: the request, and the changed one. Fits both a payment and a notification.
    static List<String> requests(String key) {
        String like = "{\"amount\":%d,\"currency\":\"EUR\",\"reference\":\"%s\"}";
        return List.of(like.formatted(1000, key), like.formatted(1001, key));
    }

    private interface Work {
        void run() throws InterruptedException;
    }

    private void inParallel(Work work) throws InterruptedException {
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < mix.callers(); i++) {
                all.add(callers.submit(() -> {
                    work.run();
                    return true;
                }));
            }
        }
        for (Future<?> each : all) {
            try {
                each.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a caller broke", e.getCause());
            }
        }
    }

    /// One key and what it goes through.
    private final class Story {
        private final SplittableRandom random;
        private final String key;
        private final int racers;
        private final boolean repeats;
        private final int repeated;

        private Story(int number) {
            // Another odd number than the generator's own step: else each key's numbers would be its neighbour's, shifted.
            this.random = new SplittableRandom(seed + number * 0xD1342543DE82EF95L);
            // The run is in it: the same seed again finds no key that the ledger knows.
            this.key = "torture:" + Long.toHexString(seed) + ":" + run + ":" + number;
            this.racers = chance(mix.racing()) ? 2 + random.nextInt(3) : 1;
            this.repeats = chance(mix.repeating());
            this.repeated = chance(mix.changed()) ? 1 : 0;
        }

        private String request(int version) {
            return requests(key).get(version);
        }

        private void run() throws InterruptedException {
            String request = request(0);
            Optional<Told> last = racers == 1 ? call(request) : race(request);
            Duration pause = FIRST_PAUSE;
            for (int i = 1; i < TRIES && isOpen(last); i++) {
                clocks.sleep(pause.plusMillis(random.nextInt(50)));
                pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                last = call(request);
            }
            if (repeats) {
                again(request(repeated));
            }
        }

        /// Without a fault asked for: what a repeat forwards, if anything, is done.
        private void again(String request) throws InterruptedException {
            heard(request, Map.of());
        }

        private Optional<Told> race(String request) throws InterruptedException {
            List<Map<String, String>> faults = new ArrayList<>();
            for (int i = 0; i < racers; i++) {
                faults.add(fault());
            }
            List<Future<Optional<Told>>> all = new ArrayList<>();
            try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
                faults.forEach(fault -> all.add(together.submit(() -> heard(request, fault))));
            }
            try {
                return all.getLast().get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a caller broke", e.getCause());
            }
        }

        private Optional<Told> call(String request) throws InterruptedException {
            return heard(request, fault());
        }

        private Optional<Told> heard(String request, Map<String, String> more) throws InterruptedException {
            List<URI> all = gateways.get();
            URI gateway = all.get(Math.floorMod(turn.getAndIncrement(), all.size()));
            long asked = clocks.nanos();
            Optional<Told> told = caller.post(gateway, path, key, request, more);
            told.ifPresentOrElse(witness::hears, () -> witness.hearsNothing(key, request, asked));
            return told;
        }

        private Map<String, String> fault() {
            return chance(mix.faulty())
                    ? Map.of("Sandbox-Fault", mix.faults().get(random.nextInt(mix.faults().size())))
                    : Map.of();
        }

        private boolean chance(int percent) {
            return random.nextInt(100) < percent;
        }

        /// Whether another call may bring another answer: none came, or one that does not settle.
        private static boolean isOpen(Optional<Told> last) {
            return last.map(told -> !told.recorded() && !told.mismatch() && !told.gone() && !isDoubtful(told))
                    .orElse(true);
        }

        private static boolean isDoubtful(Told told) {
            return told.doubtful()
                    || (told.problem().equals("outcome-unknown") && told.status() != 504);
        }
    }
}

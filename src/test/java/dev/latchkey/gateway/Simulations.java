package dev.latchkey.gateway;

import static org.assertj.core.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.slf4j.LoggerFactory;

/// Many runs of [Simulation], on all processors: a run is on one thread, and knows nothing of the others.
final class Simulations {

    private Simulations() {}

    /// What came of many runs.
    ///
    /// @param forwards in all
    /// @param answers each kind
    record Sum(int forwards, List<String> answers) {}

    /// Runs these seeds. One that goes wrong fails with its story; one alone prints it in any case.
    static Sum check(LongStream seeds) {
        long[] all = seeds.toArray();
        AtomicReference<Sum> sum = new AtomicReference<>(new Sum(0, List.of()));
        AtomicReference<String> bad = new AtomicReference<>("");
        quietly(() -> LongStream.of(all).parallel().mapToObj(seed -> new Simulation(seed, Guard.NONE))
                .filter(run -> {
                    boolean wrong = !run.run().isEmpty();
                    sum.accumulateAndGet(new Sum(run.forwards(), run.answers()), Simulations::plus);
                    return wrong || all.length == 1;
                })
                .findAny().ifPresent(run -> bad.set(run.story())));
        if (!bad.get().isEmpty()) {
            System.out.println(bad.get());
        }
        if (!bad.get().isEmpty() && !bad.get().endsWith(Simulation.ALL_IS_WELL)) {
            fail(bad.get());
        }
        return sum.get();
    }

    private static Sum plus(Sum one, Sum other) {
        List<String> answers = new ArrayList<>(one.answers());
        other.answers().stream().filter(answer -> !answers.contains(answer)).distinct().forEach(answers::add);
        return new Sum(one.forwards() + other.forwards(), answers);
    }

    /// Whether any of so many runs without the guard goes wrong.
    static boolean seen(Guard missing, int most) {
        boolean[] seen = new boolean[1];
        quietly(() -> seen[0] = LongStream.rangeClosed(1, most).parallel()
                .anyMatch(seed -> !new Simulation(seed, missing).run().isEmpty()));
        return seen[0];
    }

    /// Without the logs of replicas that fail all the time.
    static void quietly(Runnable work) {
        Logger logger = (Logger) LoggerFactory.getLogger("dev.latchkey");
        Level before = logger.getLevel();
        logger.setLevel(Level.OFF);
        try {
            work.run();
        } finally {
            logger.setLevel(before);
        }
    }
}

package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.torture.Ending;
import dev.latchkey.torture.Mix;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Replicas are killed under load, at moments that a seed chooses, and come back at once. Thousands of keys on a route whose
/// downstream does not deduplicate, called in races and again and again.
///
/// `-Dlatchkey.crash.seed=N` runs the plan of that seed again, `-Dlatchkey.crash.keys=N` with so many keys.
final class KillIT {

    private static final int KEYS = Integer.getInteger("latchkey.crash.keys", 2_500);
    private static final int BLOWS = Math.max(4, KEYS / 1250);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    @TempDir
    private static Path folder;

    /// @param after so many keys
    /// @param victims which of the two replicas, or both
    private record Blow(int after, List<Integer> victims) {

        private static List<Blow> plan(Random random) {
            return Stream.generate(() -> random.nextInt(KEYS / 50, KEYS - KEYS / 50)).limit(BLOWS).sorted()
                    .map(after -> new Blow(after, victims(random))).toList();
        }

        private static List<Integer> victims(Random random) {
            int which = random.nextInt(2);
            return random.nextInt(4) == 0 ? List.of(which, 1 - which) : List.of(which);
        }
    }

    @Test
    void nothingTakesEffectTwiceAndNoAnswerIsTakenBack() throws Exception {
        long seed = Long.getLong("latchkey.crash.seed", new Random().nextInt());
        List<Blow> plan = Blow.plan(new Random(seed));
        System.out.println("-Dlatchkey.crash.seed=" + seed + " " + plan);
        try (TwoUnderLoad both = new TwoUnderLoad(folder, "/plain/kill", Duration.ofSeconds(30), Mix.calm(), seed);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> load = callers.submit(() -> {
                both.load().run(begun -> begun < KEYS);
                return true;
            });
            for (Blow blow : plan) {
                await().atMost(PATIENCE).until(() -> both.load().ended() >= blow.after() || load.isDone());
                blow.victims().parallelStream().forEach(both::killAndRestart);
            }
            load.get();
            List<String> wrong = both.audit();
            Map<String, Long> endings = both.endings().values().stream()
                    .collect(Collectors.groupingBy(Ending::state, Collectors.counting()));
            System.out.println(both.kinds() + " " + endings);
            assertThat(wrong).as("seed %d", seed).isEmpty();
            assertThat(both.load().ended()).isGreaterThanOrEqualTo(KEYS);
            assertThat(endings.keySet()).isSubsetOf("recorded", "in-doubt", "released").contains("in-doubt");
        }
    }
}

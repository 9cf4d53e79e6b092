package dev.latchkey.bench;

import static dev.latchkey.bench.Rig.BATCHED;
import static dev.latchkey.bench.Rig.PLAIN;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// First calls where each flush takes 2 ms longer: PostgreSQL itself waits before it flushes, with the lock held that
/// every flush needs, as a slow disk would make it.
final class SlowDisk implements Part {

    private static final int[] CALLERS = {8, 32, 128};
    private static final double FLUSH_MILLIS = 2;
    /// Shorter than others: each call takes longer, and what it uses is a table's row, not a check.
    private static final Duration LOOK = Duration.ofMillis(1_200);

    private final Rig rig;

    SlowDisk(Rig rig) {
        this.rig = rig;
    }

    @Override
    public String name() {
        return "slow-disk";
    }

    @Override
    public List<Figure> run(Bench bench) throws Exception {
        Rig.Ready ready = rig.ready(bench);
        BenchServer server = bench.server().get();
        server.set("commit_delay = 2000", "commit_siblings = 0");
        try (Commits commits = Commits.open(server)) {
            List<Figure> figures = new ArrayList<>(flushes(bench, commits));
            Looks looks = new Looks(bench.looking(LOOK), name());
            for (int round = 0; round < bench.rounds(); round++) {
                rig.vacuum(bench);
                for (int callers : CALLERS) {
                    looks.round(round, callers, List.of(ready.batched(), ready.plain()));
                }
            }
            for (int callers : CALLERS) {
                figures.add(Figure.ratio(
                        "first calls/s ÷ plain, 2 ms a flush, " + Figure.callers(callers),
                        looks.ratio(BATCHED, PLAIN, callers, Look::rate))
                        .aiming(Aim.atLeast(callers < 128 ? 0.9 : 2.0)));
            }
            for (int callers : CALLERS) {
                figures.addAll(FirstCalls.amounts(looks, callers));
            }
            return figures;
        } finally {
            server.set("commit_delay = 0", "commit_siblings = 5");
        }
    }

    /// The simulation itself is measured: one that did nothing would flatter.
    private static List<Figure> flushes(Bench bench, Commits commits) throws Exception {
        List<Double> alone = new ArrayList<>();
        List<Double> shared = new ArrayList<>();
        for (int round = 0; round < bench.rounds(); round++) {
            alone.add(commits.medianMillis(60));
            shared.add(commits.rate(8, 60) / commits.rate(1, 60));
        }
        Figure one = Figure.of("a commit alone, 2 ms a flush", "ms", alone);
        if (one.median() < FLUSH_MILLIS) {
            throw new IllegalStateException("the slow disk is not slow: a commit takes " + one.median() + " ms");
        }
        return List.of(one, Figure.ratio("commits/s of 8 sessions ÷ of one, 2 ms a flush", shared)
                .noting("they share flushes, as on a disk"));
    }
}

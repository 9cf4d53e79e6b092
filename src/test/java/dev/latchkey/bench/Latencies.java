package dev.latchkey.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/// How long calls take: what the ledger adds to one caller's, and the tail at a fixed rate, whoever is slow.
final class Latencies implements Part {

    /// About half of what the machine of `performance.md` can do when calls come one by one.
    private static final int RATE = 500;
    private static final int CONNECTIONS = 128;
    private static final double ADDED_MILLIS = 0.4;
    private static final Map<String, Double> PERCENTILES = percentiles();

    private final Rig rig;

    Latencies(Rig rig) {
        this.rig = rig;
    }

    private static Map<String, Double> percentiles() {
        Map<String, Double> percentiles = new LinkedHashMap<>();
        percentiles.put("p50", 50.0);
        percentiles.put("p99", 99.0);
        percentiles.put("p99.9", 99.9);
        return percentiles;
    }

    @Override
    public String name() {
        return "latency";
    }

    @Override
    public List<Figure> run(Bench bench) throws Exception {
        List<Figure> figures = new ArrayList<>(added(bench));
        figures.addAll(atFixedRate(bench));
        return figures;
    }

    private List<Figure> added(Bench bench) throws Exception {
        Rig.Ready ready = rig.ready(bench);
        List<Double> commits = new ArrayList<>();
        PgBench pgbench = ready.pgbench().orElse(null);
        List<Side> sides = new ArrayList<>(List.of(ready.batched(), ready.noLedger()));
        if (pgbench != null) {
            sides.add(pgbench);
        }
        Looks looks = new Looks(bench, "one caller");
        try (Commits commit = Commits.open(bench.server().get())) {
            for (int round = 0; round < bench.rounds(); round++) {
                rig.vacuum(bench);
                looks.round(round, 1, sides);
                commits.add(commit.medianMillis(bench.quick() ? 200 : 500));
            }
        }
        List<Double> first = looks.of(Rig.BATCHED, 1, Look::medianMillis);
        List<Double> forward = looks.of(Rig.NO_LEDGER, 1, Look::medianMillis);
        List<Double> added = new ArrayList<>();
        List<Double> beyond = new ArrayList<>();
        for (int i = 0; i < first.size(); i++) {
            added.add(first.get(i) - forward.get(i));
            beyond.add(added.get(i) - 2 * commits.get(i));
        }
        List<Figure> figures = new ArrayList<>(List.of(
                Figure.of("added p50, one caller, beyond two commits", "ms", beyond).aiming(Aim.atMost(ADDED_MILLIS)),
                Figure.of("added p50, one caller", "ms", added), Figure.of("a commit beside it, p50", "ms", commits),
                Figure.of("first call, one caller, p50", "ms", first),
                Figure.of("forward with no ledger, one caller, p50", "ms", forward)));
        if (pgbench != null) {
            figures.add(Figure.of("the two statements by pgbench, one session", "ms",
                    looks.of(PgBench.NAME, 1, look -> 1_000 / look.rate()))
                    .noting("the mean: what the ledger's own statements cost, each committed"));
        }
        return figures;
    }

    private List<Figure> atFixedRate(Bench bench) throws Exception {
        Rig.Ready ready = rig.ready(bench);
        List<HttpSide> sides = List.of(ready.batched(), ready.plain(), ready.noLedger());
        Map<String, List<Histogram>> seen = new LinkedHashMap<>();
        Duration time = bench.quick() ? Duration.ofSeconds(1) : Duration.ofSeconds(3);
        for (int round = 0; round < bench.rounds(); round++) {
            rig.vacuum(bench);
            StringBuilder line = new StringBuilder();
            for (HttpSide side : Turns.of(round, sides)) {
                Histogram latencies = OpenLoop.run(side.port(), CONNECTIONS, side.requests(), RATE, time);
                seen.computeIfAbsent(side.name(), it -> new ArrayList<>()).add(latencies);
                line.append("  ").append(side.name()).append(' ').append(Figure.text(millis(latencies, 99)));
            }
            bench.progress().say("%d calls/s: round %d of %d, p99 in ms:%s"
                    .formatted(RATE, round + 1, bench.rounds(), line));
        }
        List<Figure> figures = new ArrayList<>();
        seen.forEach((side, rounds) -> PERCENTILES.forEach((name, percentile) -> figures.add(Figure.of(
                "%s, %,d calls/s: %s".formatted(side, RATE, name), "ms",
                rounds.stream().map(it -> millis(it, percentile)).toList()))));
        return figures;
    }

    private static double millis(Histogram latencies, double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1e6;
    }
}

package dev.latchkey.bench;

import dev.latchkey.server.ConstantServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Replays, from memory and from the ledger, beside the same web server with a handler that answers a constant.
final class Replays implements Part {

    private static final int CALLERS = 32;
    private static final int KEYS = 2_000;
    private static final String MEMORY = "memory";
    private static final String LEDGER = "ledger";
    private static final String CONSTANT = "constant";

    private static final Duration QUICKLY_WARM = Duration.ofSeconds(4);
    private static final Duration WARM = Duration.ofSeconds(20);
    private static final Duration LEDGER_WARM = Duration.ofSeconds(32);

    private final Rig rig;
    private int tries;

    Replays(Rig rig) {
        this.rig = rig;
    }

    @Override
    public String name() {
        return "replays";
    }

    @Override
    public List<Figure> run(Bench bench) throws Exception {
        Rig.Ready ready = rig.ready(bench);
        String keys = "bench-replayed-" + tries++;
        recordAll(ready, keys);
        try (Jvm bare = Jvm.main(bench.folder(), ConstantServer.class, FixedDownstream.BODY)) {
            List<HttpSide> sides = List.of(
                    new HttpSide(MEMORY, ready.batched().port(), ready.batched().pid(), again(keys), ready.gauge()),
                    new HttpSide(
                            CONSTANT, Integer.parseInt(bare.await(FixedDownstream.PORT)), bare.pid(),
                            Requests.unkeyed(201, null), ready.gauge()));
            rig.warmUp(bench.warming(bench.quick() ? QUICKLY_WARM : WARM), sides);
            return bench.quick() ? figures(looks(bench, sides)) : besideLedger(bench, ready, sides, keys);
        }
    }

    /// Another replica on the same ledger, with a memory that holds nothing. It is warm the latest: a quick run is without.
    private List<Figure> besideLedger(Bench bench, Rig.Ready ready, List<HttpSide> others, String keys)
            throws Exception {
        try (Latchkey forgetful = Latchkey.start(
                bench, "forgetful", Rig.DATABASES + Rig.BATCHED, ready.downstream(), "", "cache: { size: 0 }")) {
            HttpSide ledger =
                    new HttpSide(LEDGER, forgetful.port(), forgetful.program().pid(), again(keys), ready.gauge());
            rig.warmUp(bench.warming(LEDGER_WARM), List.of(ledger));
            return figures(looks(bench, List.of(others.getFirst(), ledger, others.getLast())));
        }
    }

    private Looks looks(Bench bench, List<HttpSide> sides) throws Exception {
        Looks looks = new Looks(bench, name());
        for (int round = 0; round < bench.rounds(); round++) {
            rig.vacuum(bench);
            looks.round(round, CALLERS, List.copyOf(sides));
        }
        return looks;
    }

    private static Requests again(String keys) {
        return Requests.again(keys, KEYS);
    }

    private static void recordAll(Rig.Ready ready, String keys) throws Exception {
        Requests first = Requests.first(keys);
        try (ClosedLoop loop = ClosedLoop.start(ready.batched().port(), CALLERS, first)) {
            loop.awaitCalls(KEYS + CALLERS);
            loop.stop();
        }
    }

    private static List<Figure> figures(Looks looks) {
        List<Figure> figures = new ArrayList<>();
        List<String> sides = Stream.of(MEMORY, LEDGER, CONSTANT).filter(it -> looks.has(it, CALLERS)).toList();
        figures.add(rate("memory", MEMORY, 0.85, looks));
        figures.add(cpu("memory", MEMORY, 2.0, looks));
        if (sides.contains(LEDGER)) {
            figures.add(rate("the ledger", LEDGER, 0.40, looks));
            figures.add(cpu("the ledger", LEDGER, 3.5, looks));
        }
        for (String side : sides) {
            figures.add(Figure.of(side + ": calls", "/s", looks.of(side, CALLERS, Look::rate)));
            figures.add(Figure.of(side + ": server's CPU a call", "µs", looks.of(side, CALLERS, Look::gateway)));
            figures.add(Figure.of(side + ": PostgreSQL CPU a call", "µs", looks.of(side, CALLERS, Look::postgres)));
        }
        return figures;
    }

    private static Figure rate(String from, String side, double aim, Looks looks) {
        return Figure.ratio(
                "replays/s from %s ÷ a constant, 32 callers".formatted(from),
                looks.ratio(side, CONSTANT, CALLERS, Look::rate)).aiming(Aim.atLeast(aim));
    }

    private static Figure cpu(String from, String side, double bound, Looks looks) {
        return Figure.ratio(
                "server's CPU a replay from %s ÷ a constant, 32 callers".formatted(from),
                looks.ratio(side, CONSTANT, CALLERS, Look::gateway)).aiming(Aim.checkedAtMost(bound));
    }
}

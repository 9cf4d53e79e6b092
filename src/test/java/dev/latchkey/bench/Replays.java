package dev.latchkey.bench;

import dev.latchkey.server.ConstantServer;
import java.util.ArrayList;
import java.util.List;

/// Replays, from memory and from the ledger, beside the same web server with a handler that answers a constant.
final class Replays implements Part {

    private static final int CALLERS = 32;
    private static final int KEYS = 2_000;
    private static final String MEMORY = "memory";
    private static final String LEDGER = "ledger";
    private static final String CONSTANT = "constant";

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
        // Another replica on the same ledger, with a memory that holds nothing.
        try (Latchkey forgetful = Latchkey.start(
                bench, "forgetful", Rig.DATABASES + Rig.BATCHED, ready.downstream(), "", "cache: { size: 0 }");
                Jvm bare = Jvm.main(bench.folder(), ConstantServer.class, FixedDownstream.BODY)) {
            List<HttpSide> sides = List.of(
                    new HttpSide(MEMORY, ready.batched().port(), ready.batched().pid(), again(keys), ready.gauge()),
                    new HttpSide(LEDGER, forgetful.port(), forgetful.program().pid(), again(keys), ready.gauge()),
                    new HttpSide(
                            CONSTANT, Integer.parseInt(bare.await(FixedDownstream.PORT)), bare.pid(),
                            Requests.unkeyed(201, null), ready.gauge()));
            rig.warmUp(bench, sides);
            Looks looks = new Looks(bench, name());
            for (int round = 0; round < bench.rounds(); round++) {
                rig.vacuum(bench);
                looks.round(round, CALLERS, List.copyOf(sides));
            }
            return figures(looks);
        }
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
        figures.add(Figure.ratio("replays/s from memory ÷ a constant, 32 callers",
                looks.ratio(MEMORY, CONSTANT, CALLERS, Look::rate)).aiming(Aim.atLeast(0.85)));
        figures.add(Figure.ratio("replays/s from the ledger ÷ a constant, 32 callers",
                looks.ratio(LEDGER, CONSTANT, CALLERS, Look::rate)).aiming(Aim.atLeast(0.40)));
        figures.add(cpu("memory", MEMORY, 2.0, looks));
        figures.add(cpu("the ledger", LEDGER, 3.5, looks));
        for (String side : List.of(MEMORY, LEDGER, CONSTANT)) {
            figures.add(Figure.of(side + ": calls", "/s", looks.of(side, CALLERS, Look::rate)));
            figures.add(Figure.of(side + ": server's CPU a call", "µs", looks.of(side, CALLERS, Look::gateway)));
            figures.add(Figure.of(side + ": PostgreSQL CPU a call", "µs", looks.of(side, CALLERS, Look::postgres)));
        }
        return figures;
    }

    private static Figure cpu(String from, String side, double bound, Looks looks) {
        return Figure.ratio(
                "server's CPU a replay from %s ÷ a constant, 32 callers".formatted(from),
                looks.ratio(side, CONSTANT, CALLERS, Look::gateway)).aiming(Aim.checkedAtMost(bound));
    }
}

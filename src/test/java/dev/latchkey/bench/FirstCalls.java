package dev.latchkey.bench;

import static dev.latchkey.bench.Rig.BATCHED;
import static dev.latchkey.bench.Rig.NO_LEDGER;
import static dev.latchkey.bench.Rig.PLAIN;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// First calls with the batched writer, beside the plain one, beside no ledger at all, and beside `pgbench`.
final class FirstCalls implements Part {

    private static final int[] CALLERS = {1, 8, 32, 128};

    /// What two measurements of the same thing may differ by.
    private static final double NO_WORSE = 1.10;

    private final Rig rig;

    FirstCalls(Rig rig) {
        this.rig = rig;
    }

    @Override
    public String name() {
        return "first-calls";
    }

    @Override
    public List<Figure> run(Bench bench) throws Exception {
        Rig.Ready ready = rig.ready(bench);
        PgBench pgbench = ready.pgbench().orElse(null);
        Looks looks = new Looks(bench, name());
        for (int round = 0; round < bench.rounds(); round++) {
            for (int callers : CALLERS) {
                List<Side> sides = new ArrayList<>(List.of(ready.batched(), ready.plain()));
                if (callers >= 32) {
                    sides.add(ready.noLedger());
                }
                if (callers >= 32 && pgbench != null) {
                    sides.add(pgbench);
                }
                looks.round(round, callers, sides);
            }
        }
        return figures(looks, pgbench != null);
    }

    private static List<Figure> figures(Looks looks, boolean withPgbench) {
        List<Figure> figures = new ArrayList<>();
        figures.add(rate(looks, 32, NO_LEDGER, 0.55).noting("stretch 0.70"));
        figures.add(rate(looks, 128, NO_LEDGER, 0.45).noting("stretch 0.60"));
        figures.add(rate(looks, 32, PLAIN, 2.0));
        figures.add(rate(looks, 128, PLAIN, 1.7));
        if (withPgbench) {
            figures.add(rate(looks, 32, PgBench.NAME, 1.0));
            figures.add(rate(looks, 128, PgBench.NAME, 1.4));
        }
        for (int callers : CALLERS) {
            figures.add(cpu(looks, "PostgreSQL", callers, Look::postgres)
                    .aiming(Aim.atMost(callers < 32 ? NO_WORSE : callers == 32 ? 0.30 : 0.20).checked()));
            Figure gateway = cpu(looks, "gateway", callers, Look::gateway);
            figures.add(callers < 32 ? gateway.aiming(Aim.atMost(NO_WORSE).checked()) : gateway);
        }
        figures.add(Figure.of("transactions a call, 32 callers", "", looks.of(BATCHED, 32, Look::transactions))
                .aiming(Aim.atMost(0.20).checked()).noting("those that write; plain: 2"));
        figures.add(Figure.of("WAL a call without full-page images, 32 callers", "B", looks.of(BATCHED, 32, Look::wal))
                .aiming(Aim.WAL)
                .noting("plain: " + Figure.text(Figure.ratio("", looks.of(PLAIN, 32, Look::wal)).median()) + " B"));
        for (int callers : CALLERS) {
            figures.addAll(amounts(looks, callers));
        }
        return figures;
    }

    private static Figure rate(Looks looks, int callers, String by, double aim) {
        return Figure.ratio(
                "first calls/s ÷ %s, %d callers".formatted(by, callers),
                looks.ratio(BATCHED, by, callers, Look::rate)).aiming(Aim.atLeast(aim));
    }

    private static Figure cpu(Looks looks, String whose, int callers, ToDoubleFunction<Look> what) {
        return Figure.ratio(
                "%s CPU a call ÷ plain, %d callers".formatted(whose, callers),
                looks.ratio(BATCHED, PLAIN, callers, what));
    }

    private static List<Figure> amounts(Looks looks, int callers) {
        List<Figure> figures = new ArrayList<>();
        for (String side : List.of(BATCHED, PLAIN, NO_LEDGER, PgBench.NAME)) {
            if (!looks.has(side, callers)) {
                continue;
            }
            String where = "%s, %d callers: ".formatted(side, callers);
            figures.add(Figure.of(where + "calls", "/s", looks.of(side, callers, Look::rate)));
            if (!side.equals(PgBench.NAME)) {
                figures.add(Figure.of(where + "gateway CPU a call", "µs", looks.of(side, callers, Look::gateway)));
            }
            if (side.equals(BATCHED) || side.equals(PLAIN)) {
                figures.add(Figure.of(where + "PostgreSQL CPU a call", "µs", looks.of(side, callers, Look::postgres)));
            }
        }
        return figures;
    }
}

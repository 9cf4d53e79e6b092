package dev.latchkey.bench;

import static dev.latchkey.bench.Rig.BATCHED;
import static dev.latchkey.bench.Rig.NO_LEDGER;
import static dev.latchkey.bench.Rig.PLAIN;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// First calls with the batched writer, beside the plain one, beside no ledger at all, and beside `pgbench`.
final class FirstCalls implements Part {

    private static final List<Integer> CALLERS = List.of(1, 8, 32, 128);
    private static final List<Integer> CALLERS_QUICK = List.of(1, 32);

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
        List<Integer> all = bench.quick() ? CALLERS_QUICK : CALLERS;
        for (int round = 0; round < bench.rounds(); round++) {
            rig.vacuum(bench);
            for (int callers : all) {
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
        return figures(looks, all);
    }

    private static List<Figure> figures(Looks looks, List<Integer> all) {
        List<Figure> figures = new ArrayList<>();
        rate(looks, 32, NO_LEDGER, 0.55, figures);
        rate(looks, 128, NO_LEDGER, 0.45, figures);
        rate(looks, 32, PLAIN, 2.0, figures);
        rate(looks, 128, PLAIN, 1.7, figures);
        rate(looks, 32, PgBench.NAME, 1.0, figures);
        rate(looks, 128, PgBench.NAME, 1.4, figures);
        for (int callers : all) {
            figures.add(cpu(looks, "PostgreSQL", callers, Look::postgres).aiming(postgres(callers)));
        }
        for (int callers : all) {
            figures.add(cpu(looks, "gateway", callers, Look::gateway).aiming(gateway(callers)));
        }
        figures.add(Figure.ratio(
                "gateway CPU a first call ÷ no ledger, 32 callers", looks.ratio(BATCHED, NO_LEDGER, 32, Look::gateway))
                .aiming(Aim.checkedAtMost(3.6)));
        figures.add(Figure.of("transactions a call, 32 callers", "", looks.of(BATCHED, 32, Look::transactions))
                .aiming(Aim.atMost(0.20).checkedAt(0.20)).noting("those that write"));
        figures.add(Figure.of("WAL a call without full-page images, 32 callers", "B", looks.of(BATCHED, 32, Look::wal))
                .aiming(Aim.WAL));
        for (int callers : all) {
            figures.addAll(amounts(looks, callers));
        }
        return figures;
    }

    private static Aim postgres(int callers) {
        return switch (callers) {
            case 1 -> Aim.atMost(NO_WORSE).checkedAt(1.40);
            case 8 -> Aim.atMost(NO_WORSE).checkedAt(0.65);
            case 32 -> Aim.atMost(0.30).checkedAt(0.30);
            default -> Aim.atMost(0.20).checkedAt(0.20);
        };
    }

    private static Aim gateway(int callers) {
        return switch (callers) {
            case 1 -> Aim.atMost(NO_WORSE).checkedAt(1.25);
            case 8 -> Aim.atMost(NO_WORSE).checkedAt(0.90);
            default -> Aim.checkedAtMost(1.0);
        };
    }

    /// Where that was looked at.
    private static void rate(Looks looks, int callers, String by, double aim, List<Figure> figures) {
        if (looks.has(by, callers)) {
            figures.add(Figure.ratio(
                    "first calls/s ÷ %s, %s".formatted(by, Figure.callers(callers)),
                    looks.ratio(BATCHED, by, callers, Look::rate)).aiming(Aim.atLeast(aim)));
        }
    }

    private static Figure cpu(Looks looks, String whose, int callers, ToDoubleFunction<Look> what) {
        return Figure.ratio(
                "%s CPU a call ÷ plain, %s".formatted(whose, Figure.callers(callers)),
                looks.ratio(BATCHED, PLAIN, callers, what));
    }

    /// What each side that was looked at did, and what a call used.
    static List<Figure> amounts(Looks looks, int callers) {
        List<Figure> figures = new ArrayList<>();
        for (String side : List.of(BATCHED, PLAIN, NO_LEDGER, PgBench.NAME)) {
            if (!looks.has(side, callers)) {
                continue;
            }
            String where = "%s, %s: ".formatted(side, Figure.callers(callers));
            figures.add(Figure.of(where + "calls", "/s", looks.of(side, callers, Look::rate)));
            if (!side.equals(PgBench.NAME)) {
                figures.add(Figure.of(where + "gateway CPU a call", "µs", looks.of(side, callers, Look::gateway)));
            }
            if (side.equals(BATCHED) || side.equals(PLAIN)) {
                figures.add(Figure.of(where + "PostgreSQL CPU a call", "µs", looks.of(side, callers, Look::postgres)));
                figures.add(Figure.of(where + "transactions a call", "", looks.of(side, callers, Look::transactions)));
                figures.add(Figure.of(where + "WAL a call", "B", looks.of(side, callers, Look::wal)));
            }
        }
        return figures;
    }
}

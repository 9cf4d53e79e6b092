package dev.latchkey.bench.table;

import dev.latchkey.bench.Aim;
import dev.latchkey.bench.Bench;
import dev.latchkey.bench.BenchServer;
import dev.latchkey.bench.Figure;
import dev.latchkey.bench.Part;
import dev.latchkey.bench.Turns;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.Purger;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.postgres.PostgresLedger;
import dev.latchkey.postgres.PostgresSettings.Durability;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;

/// The ledger's tables: claims into millions of entries beside claims into none, and the purge. Vacuumed by itself, as the
/// ledgers of its users are.
public final class TablePart implements Part {

    private static final String EMPTY = "table_empty";
    private static final String FULL = "table_full";
    private static final int CALLERS = 32;
    /// What calls at a fixed rate are looked at in, beside a purge and without one: so the longer look has no worse tail.
    private static final Duration WINDOW = Duration.ofSeconds(2);
    private static final int WINDOWS_WITHOUT = 2;
    /// So the machine has time for both.
    private static final int SHARE_OF_RATE = 8;
    private static final Duration KEEP_FREED = Duration.ofDays(1);
    /// The entries that are past their retention are rejections: kept so much longer, they stay.
    private static final Duration RESPONSES_ONLY = Duration.ofDays(3_650);

    private final LedgerCalls calls = new LedgerCalls();
    private final SystemClocks clocks = new SystemClocks();

    @Override
    public String name() {
        return "table";
    }

    @Override
    public List<Figure> run(Bench bench) throws Exception {
        BenchServer server = bench.server().get();
        List<Figure> figures = new ArrayList<>();
        try {
            server.set("autovacuum = on");
            server.newLedger(EMPTY);
            server.newLedger(FULL);
            int rows = bench.quick() ? 200_000 : 5_000_000;
            bench.progress().say("filling a ledger with %,d entries".formatted(rows));
            new Filling(server, FULL).fill(rows);
            try (PostgresLedger empty = Ledgers.open(server, EMPTY, Durability.LOCAL);
                    PostgresLedger full = Ledgers.open(server, FULL, Durability.LOCAL)) {
                figures.addAll(claims(bench, empty, full, rows));
                figures.addAll(idlePurge(bench, full, rows));
                figures.addAll(purgeUnderLoad(bench, full));
            }
        } finally {
            server.set("autovacuum = off");
            for (String database : List.of(EMPTY, FULL)) {
                server.execute("drop database if exists " + database + " with (force)");
            }
            server.execute("checkpoint");
        }
        return figures;
    }

    private List<Figure> claims(Bench bench, Ledger empty, Ledger full, int rows) throws Exception {
        Duration warmUp = bench.warmUp().dividedBy(5);
        calls.claims(empty, CALLERS, warmUp);
        calls.claims(full, CALLERS, warmUp);
        List<LedgerCalls.Seen> many = new ArrayList<>();
        List<LedgerCalls.Seen> none = new ArrayList<>();
        for (int round = 0; round < bench.rounds(); round++) {
            for (boolean filled : Turns.of(round, List.of(true, false))) {
                (filled ? many : none).add(calls.claims(filled ? full : empty, CALLERS, bench.look()));
            }
            bench.progress().say("claims, round %d: into many %s/s, into none %s/s".formatted(
                    round + 1, Figure.text(many.getLast().rate()), Figure.text(none.getLast().rate())));
        }
        String into = "claims into %,d entries".formatted(rows);
        List<Figure> figures = new ArrayList<>(List.of(
                Figure.ratio(
                        "claims/s into %,d entries ÷ into none, 32 callers".formatted(rows),
                        ratio(many, none, LedgerCalls.Seen::rate)).aiming(Aim.atLeast(0.75))));
        figures.addAll(amounts(into, "claims", many));
        figures.addAll(amounts("claims into none", "claims", none));
        return figures;
    }

    private static List<Figure> amounts(String name, String what, List<LedgerCalls.Seen> rounds) {
        return List.of(
                Figure.of(name + ": " + what, "/s", each(rounds, LedgerCalls.Seen::rate)),
                Figure.of(name + ": p50", "ms", each(rounds, it -> it.millis(50))),
                Figure.of(name + ": p99", "ms", each(rounds, it -> it.millis(99))));
    }

    private static List<Double> each(List<LedgerCalls.Seen> rounds, ToDoubleFunction<LedgerCalls.Seen> what) {
        return rounds.stream().map(what::applyAsDouble).toList();
    }

    private static List<Double> ratio(
            List<LedgerCalls.Seen> above, List<LedgerCalls.Seen> below, ToDoubleFunction<LedgerCalls.Seen> what) {
        return Figure.ratios(each(above, what), each(below, what));
    }

    /// Responses, and then the entries that have outlived them: each with its indexes, each kind alone.
    private List<Figure> idlePurge(Bench bench, Ledger full, int rows) {
        int slice = rows / 50;
        return List.of(
                idlePurge(bench, "responses", new Purger(atMost(full, slice, false), RESPONSES_ONLY, clocks)),
                idlePurge(bench, "entries", new Purger(atMost(full, slice, false), KEEP_FREED, clocks)));
    }

    private Figure idlePurge(Bench bench, String what, Purger purger) {
        bench.progress().say("purge while nobody calls, " + what);
        List<Double> rates = new ArrayList<>();
        for (int round = 0; round < bench.rounds(); round++) {
            long start = clocks.nanos();
            int purged = purger.runOnce();
            rates.add(purged * 1e9 / (clocks.nanos() - start));
        }
        return Figure.of("purge while nobody calls, " + what, "rows/s", rates).aiming(Aim.atLeast(100_000));
    }

    /// A share of a million responses in each round.
    private List<Figure> purgeUnderLoad(Bench bench, Ledger full) throws Exception {
        int share = (bench.quick() ? 50_000 : 1_000_000) / bench.rounds();
        List<LedgerCalls.Seen> with = new ArrayList<>();
        List<LedgerCalls.Seen> without = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        double rate = calls.claims(full, CALLERS, bench.look()).rate() / SHARE_OF_RATE;
        Duration window = bench.quick() ? bench.look() : WINDOW;
        int all = 0;
        for (int round = 0; round < bench.rounds(); round++) {
            for (boolean purges : Turns.of(round, List.of(false, true))) {
                if (!purges) {
                    without.add(calls.openLoop(full, rate, window, WINDOWS_WITHOUT));
                    continue;
                }
                long start = clocks.nanos();
                CompletableFuture<Integer> purging = CompletableFuture
                        .supplyAsync(() -> purge(atMost(full, share, true)), Thread::startVirtualThread);
                with.add(calls.openLoop(full, rate, window, () -> !purging.isDone()));
                int purged = purging.join();
                all += purged;
                rates.add(purged * 1e9 / (clocks.nanos() - start));
                bench.progress().say("purge while calls go on, round %d: %,d rows".formatted(round + 1, purged));
            }
        }
        List<Figure> figures = new ArrayList<>(List.of(
                Figure.ratio(
                        "p99 of calls while a backlog is purged ÷ without", ratio(with, without, it -> it.millis(99)))
                        .noting(("the ledger's code alone (no gateway, no HTTP), open loop, %,.0f calls/s; each side by its "
                                + "middle window of %s s; %,d rows purged meanwhile")
                                .formatted(rate, Figure.text(window.toMillis() / 1e3), all)),
                Figure.of("purge while calls go on", "rows/s", rates)));
        figures.addAll(amounts("calls while a backlog is purged", "calls", with));
        figures.addAll(amounts("calls without a purge", "calls", without));
        return figures;
    }

    private int purge(Ledger ledger) {
        return new Purger(ledger, RESPONSES_ONLY, clocks).runOnce();
    }

    /// A ledger whose purge says after so many rows that nothing is left.
    ///
    /// @param calls whether it says that calls are under way: the claims that a measurement left hold still
    private static Ledger atMost(Ledger ledger, int slice, boolean calls) {
        AtomicInteger rows = new AtomicInteger();
        return (Ledger) Proxy.newProxyInstance(
                TablePart.class.getClassLoader(), new Class<?>[] {Ledger.class}, (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(ledger, arguments);
                        if (!(result instanceof Ledger.Purged purged)) {
                            return result;
                        }
                        boolean full = rows.addAndGet(purged.rows()) >= slice;
                        if (full) {
                            rows.set(0);
                        }
                        return new Ledger.Purged(
                                purged.rows(), purged.more() && !full, full ? Duration.ZERO : purged.behind(), calls);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}

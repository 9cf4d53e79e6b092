package dev.latchkey.bench.table;

import dev.latchkey.bench.Aim;
import dev.latchkey.bench.Bench;
import dev.latchkey.bench.BenchServer;
import dev.latchkey.bench.Figure;
import dev.latchkey.bench.Part;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.Purger;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.postgres.PostgresLedger;
import dev.latchkey.postgres.PostgresSettings;
import dev.latchkey.postgres.PostgresSettings.Durability;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// The ledger's tables: bytes and WAL, claims into millions of entries beside claims into none, and the purge.
public final class TablePart implements Part {

    private static final String SMALL = "table_small";
    private static final String EMPTY = "table_empty";
    private static final String FULL = "table_full";
    private static final int CALLERS = 32;
    private static final Duration KEEP_FREED = Duration.ofDays(1);

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
            figures.addAll(bytes(bench, server));
            server.newLedger(EMPTY);
            server.newLedger(FULL);
            int rows = bench.quick() ? 200_000 : 5_000_000;
            bench.progress().say("filling a ledger with %,d entries".formatted(rows));
            new Filling(server, FULL).fill(rows, rows / 5 * 2);
            try (PostgresLedger empty = open(server, EMPTY, Durability.LOCAL);
                    PostgresLedger full = open(server, FULL, Durability.LOCAL)) {
                figures.addAll(claims(bench, empty, full, rows));
                figures.addAll(idlePurge(bench, full, rows));
                figures.addAll(purgeUnderLoad(bench, full));
            }
        } finally {
            for (String database : List.of(SMALL, EMPTY, FULL)) {
                server.execute("drop database if exists " + database + " with (force)");
            }
            server.execute("checkpoint");
        }
        return figures;
    }

    private PostgresLedger open(BenchServer server, String database, Durability durability) {
        return PostgresLedger.open(
                new PostgresSettings(
                        server.url(database), null, null, 8, PostgresSettings.Writer.BATCHED, durability, true,
                        PostgresSettings.Encryption.NONE),
                clocks);
    }

    /// Without full-page images: they depend on how often the server makes checkpoints, not on the calls.
    private List<Figure> bytes(Bench bench, BenchServer server) throws Exception {
        server.newLedger(SMALL);
        server.set("full_page_writes = off");
        List<Double> wal = new ArrayList<>();
        int each = bench.quick() ? 100 : 600;
        try (PostgresLedger ledger = open(server, SMALL, Durability.UNSAFE)) {
            calls.calls(ledger, CALLERS, 30);
            for (int round = 0; round < bench.rounds(); round++) {
                double before = number(server, SMALL, "select pg_current_wal_insert_lsn() - '0/0'");
                calls.calls(ledger, CALLERS, each);
                double after = number(server, SMALL, "select pg_current_wal_insert_lsn() - '0/0'");
                wal.add((after - before) / CALLERS / each);
                vacuum(server);
            }
        } finally {
            server.set("full_page_writes = on");
        }
        double size = number(server, SMALL,
                "select (pg_total_relation_size('entry') + pg_total_relation_size('response'))::float8"
                        + " / (select count(*) from entry)");
        return List.of(
                Figure.of("WAL a call of the ledger, without full-page images", "B", wal)
                        .aiming(Aim.WAL)
                        .noting("claim and record, a response of 300 bytes"),
                Figure.of("bytes an entry with indexes and a response of 300 bytes", "B", List.of(size))
                        .aiming(Aim.atMost(850).checked()).noting("vacuumed as often as by itself"));
    }

    private static void vacuum(BenchServer server) throws Exception {
        try (var connection = server.connect(SMALL);
                var statement = connection.createStatement()) {
            statement.execute("vacuum entry");
            statement.execute("vacuum response");
        }
    }

    private static double number(BenchServer server, String database, String sql) {
        return Double.parseDouble(server.ask(database, sql));
    }

    private List<Figure> claims(Bench bench, Ledger empty, Ledger full, int rows) throws Exception {
        Duration warmUp = bench.warmUp().dividedBy(4);
        calls.claims(empty, CALLERS, warmUp);
        calls.claims(full, CALLERS, warmUp);
        Claims seen = claims(bench, empty, full);
        return List.of(
                Figure.ratio("claims/s into %,d entries ÷ into none, 32 callers".formatted(rows), seen.ratios)
                        .aiming(Aim.atLeast(0.75)),
                Figure.of("claims into %,d entries".formatted(rows), "/s", seen.rates),
                Figure.of("the same: p99", "ms", seen.p99),
                Figure.of("into none: p99", "ms", seen.p99Empty));
    }

    /// What each round gave.
    private record Claims(List<Double> ratios, List<Double> rates, List<Double> p99, List<Double> p99Empty) {

        Claims() {
            this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        }
    }

    private Claims claims(Bench bench, Ledger empty, Ledger full) throws Exception {
        Claims claims = new Claims();
        for (int round = 0; round < bench.rounds(); round++) {
            boolean first = round % 2 == 0;
            LedgerCalls.Seen one = calls.claims(first ? full : empty, CALLERS, bench.look());
            LedgerCalls.Seen other = calls.claims(first ? empty : full, CALLERS, bench.look());
            LedgerCalls.Seen many = first ? one : other;
            LedgerCalls.Seen none = first ? other : one;
            bench.progress().say("claims, round %d: into many %s/s, into none %s/s"
                    .formatted(round + 1, Figure.text(many.rate()), Figure.text(none.rate())));
            claims.ratios.add(many.rate() / none.rate());
            claims.rates.add(many.rate());
            claims.p99.add(many.millis(99));
            claims.p99Empty.add(none.millis(99));
        }
        return claims;
    }

    /// The responses only: their entries stay.
    private List<Figure> idlePurge(Bench bench, Ledger full, int rows) {
        bench.progress().say("purge while nobody calls");
        List<Double> rates = new ArrayList<>();
        int slice = rows / 50;
        Purger purger = new Purger(atMost(full, slice, false), KEEP_FREED, clocks);
        for (int round = 0; round < bench.rounds(); round++) {
            long start = clocks.nanos();
            int purged = purger.runOnce();
            rates.add(purged * 1e9 / (clocks.nanos() - start));
        }
        return List.of(Figure.of("purge while nobody calls", "rows/s", rates).aiming(Aim.atLeast(100_000)));
    }

    /// A share of a million in each round.
    private List<Figure> purgeUnderLoad(Bench bench, Ledger full) throws Exception {
        int share = (bench.quick() ? 50_000 : 1_000_000) / bench.rounds();
        List<Double> ratios = new ArrayList<>();
        List<Double> rates = new ArrayList<>();
        List<Double> p99 = new ArrayList<>();
        List<Double> p99Without = new ArrayList<>();
        double rate = calls.claims(full, CALLERS, bench.look()).rate() / 6;
        int all = 0;
        for (int round = 0; round < bench.rounds(); round++) {
            LedgerCalls.Seen without = calls.openLoop(full, rate, bench.look());
            long start = clocks.nanos();
            CompletableFuture<Integer> purging =
                    CompletableFuture.supplyAsync(() -> purge(atMost(full, share, true)), Thread::startVirtualThread);
            LedgerCalls.Seen with = calls.openLoop(full, rate, () -> !purging.isDone());
            int purged = purging.join();
            all += purged;
            ratios.add(with.millis(99) / without.millis(99));
            rates.add(purged * 1e9 / (clocks.nanos() - start));
            p99.add(with.millis(99));
            p99Without.add(without.millis(99));
            bench.progress().say("purge while calls go on, round %d: %,d rows".formatted(round + 1, purged));
        }
        return List.of(
                Figure.ratio("p99 of calls while a backlog is purged ÷ without", ratios)
                        .noting("open loop, %,.0f calls/s; %,d rows purged meanwhile".formatted(rate, all)),
                Figure.of("the same: p99", "ms", p99),
                Figure.of("without: p99", "ms", p99Without),
                Figure.of("purge while calls go on", "rows/s", rates));
    }

    private int purge(Ledger ledger) {
        return new Purger(ledger, KEEP_FREED, clocks).runOnce();
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

package dev.latchkey.bench.table;

import dev.latchkey.bench.Aim;
import dev.latchkey.bench.Bench;
import dev.latchkey.bench.BenchServer;
import dev.latchkey.bench.Figure;
import dev.latchkey.bench.Part;
import dev.latchkey.postgres.PostgresLedger;
import dev.latchkey.postgres.PostgresSettings.Durability;
import java.util.ArrayList;
import java.util.List;

/// What an entry takes, in the tables with their indexes and in the write-ahead log.
public final class BytesPart implements Part {

    private static final String DATABASE = "bytes";
    private static final int CALLERS = 32;
    private static final String SIZE =
            "select pg_total_relation_size('entry') + pg_total_relation_size('response')";

    private final LedgerCalls calls = new LedgerCalls();

    @Override
    public String name() {
        return "bytes";
    }

    /// Without full-page images: they depend on how often the server makes checkpoints, not on the calls.
    @Override
    public List<Figure> run(Bench bench) throws Exception {
        BenchServer server = bench.server().get();
        server.newLedger(DATABASE);
        server.set("full_page_writes = off");
        List<Double> wal = new ArrayList<>();
        List<Double> bytes = new ArrayList<>();
        int each = bench.quick() ? 100 : 600;
        try (PostgresLedger ledger = Ledgers.open(server, DATABASE, Durability.UNSAFE)) {
            calls.calls(ledger, CALLERS, 30);
            server.vacuum(DATABASE);
            double size = number(server, SIZE);
            for (int round = 0; round < bench.rounds(); round++) {
                double before = number(server, "select pg_current_wal_insert_lsn() - '0/0'");
                calls.calls(ledger, CALLERS, each);
                double after = number(server, "select pg_current_wal_insert_lsn() - '0/0'");
                wal.add((after - before) / CALLERS / each);
                server.vacuum(DATABASE);
                double grown = number(server, SIZE);
                bytes.add((grown - size) / CALLERS / each);
                size = grown;
            }
            return List.of(
                    Figure.of("WAL a call of the ledger, without full-page images", "B", wal)
                            .aiming(Aim.WAL)
                            .noting("claim and record, a response of 300 bytes"),
                    Figure.of("bytes an entry with indexes and a response of 300 bytes", "B", bytes)
                            .aiming(Aim.atMost(850).checkedAt(850)).noting("what each round adds, vacuumed"));
        } finally {
            server.set("full_page_writes = on");
            server.execute("drop database if exists " + DATABASE + " with (force)");
        }
    }

    private static double number(BenchServer server, String sql) {
        return Double.parseDouble(server.ask(DATABASE, sql));
    }
}

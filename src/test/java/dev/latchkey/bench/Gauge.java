package dev.latchkey.bench;

import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.LongSupplier;

/// Reads what a round has used, at its beginning and at its end. Not for several threads.
final class Gauge implements AutoCloseable {

    /// Whoever writes takes a number: the numbers taken are the transactions that wrote. Unlike PostgreSQL's own count of
    /// transactions, which arrives up to ten seconds late, it is there at once.
    private static final String LEDGER =
            """
                    select pg_current_wal_insert_lsn() - '0/0', pg_snapshot_xmax(pg_current_snapshot())::text::bigint
                    """;

    private static final long LITTLE = 64 * 1024;

    private final BenchServer server;
    private final Connection connection;
    private final Statement statement;

    Gauge(BenchServer server) throws SQLException {
        this.server = server;
        this.connection = server.connect("postgres");
        this.statement = connection.createStatement();
        statement.execute("create extension if not exists pg_walinspect");
    }

    /// What had been used by then.
    ///
    /// @param nanos when
    /// @param calls answered
    /// @param gatewayNanos processor's time of the gateway
    /// @param postgresNanos processor's time of PostgreSQL, all of its processes
    /// @param wal bytes of write-ahead log
    /// @param transactions that wrote something
    record Reading(long nanos, long calls, long gatewayNanos, long postgresNanos, long wal, long transactions) {}

    /// @param calls how many were answered so far
    /// @param gateway its process; 0: there is none
    Reading read(LongSupplier calls, long gateway) throws IOException, SQLException {
        try (ResultSet row = statement.executeQuery(LEDGER)) {
            row.next();
            long postgres = Cpu.withChildren(server.pid()).toNanos();
            long own = gateway == 0 ? 0 : Cpu.of(gateway).toNanos();
            return new Reading(System.nanoTime(), calls.getAsLong(), own, postgres, row.getLong(1), row.getLong(2));
        }
    }

    /// How much of the log between two readings is images of whole pages. What was written last must have been committed.
    long images(Reading from, Reading to) throws SQLException {
        // In so little there may be no record that is whole.
        if (to.wal() - from.wal() < LITTLE) {
            return 0;
        }
        String stats = "select coalesce(sum(fpi_size), 0) from pg_get_wal_stats('0/0'::pg_lsn + %d, '0/0'::pg_lsn + %d)"
                .formatted(from.wal(), to.wal());
        try (ResultSet row = statement.executeQuery(stats)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}

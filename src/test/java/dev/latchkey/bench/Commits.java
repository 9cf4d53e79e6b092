package dev.latchkey.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.Histogram;

/// What a commit costs here and now: inserts of one row, each committed, in a table that nothing else uses.
final class Commits implements AutoCloseable {

    private final BenchServer server;
    private final Connection connection;
    private final AtomicLong numbers;

    private Commits(BenchServer server, Connection connection) {
        this.server = server;
        this.connection = connection;
        this.numbers = new AtomicLong(System.nanoTime());
    }

    static Commits open(BenchServer server) throws SQLException {
        server.execute("create table if not exists commit_cost (id bigint primary key, filler text not null)");
        return new Commits(server, server.connect("postgres"));
    }

    /// How long the middle one of so many takes.
    double medianMillis(int count) throws SQLException {
        return insert(connection, count).getValueAtPercentile(50) / 1e6;
    }

    /// Commits a second of so many sessions at once, each of which makes so many.
    double rate(int sessions, int each) throws Exception {
        List<Connection> connections = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(sessions)) {
            for (int i = 0; i < sessions; i++) {
                connections.add(server.connect("postgres"));
            }
            long start = System.nanoTime();
            List<Future<Histogram>> inserts =
                    connections.stream().map(one -> threads.submit(() -> insert(one, each))).toList();
            for (Future<Histogram> insert : inserts) {
                insert.get();
            }
            return (double) sessions * each * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - start);
        } finally {
            for (Connection one : connections) {
                one.close();
            }
        }
    }

    private Histogram insert(Connection on, int count) throws SQLException {
        Histogram times = new Histogram(3);
        try (PreparedStatement insert =
                on.prepareStatement("insert into commit_cost values (?, 'a row of some length')")) {
            for (int i = 0; i < count; i++) {
                insert.setLong(1, numbers.incrementAndGet());
                long start = System.nanoTime();
                insert.execute();
                times.recordValue(System.nanoTime() - start);
            }
        }
        return times;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}

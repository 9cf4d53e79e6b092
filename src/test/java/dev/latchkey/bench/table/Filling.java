package dev.latchkey.bench.table;

import dev.latchkey.bench.BenchServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Fills a ledger with recorded entries and their responses, as calls of the last months leave them: ids in no order, times
/// in the order of the rows. Indexes are taken away, and made again over what is there.
final class Filling {

    /// Three fifths of the entries have a response still: it lives shorter. Of these the older two thirds are past their
    /// retention, the others will be one day.
    private static String responses(int rows) {
        return """
                insert into response (entry_id, expires_at, headers, body)
                select md5(i::text)::uuid,
                       case when i <= %2$d then now() - interval '1 day' else now() + interval '1 day' end
                           + i * interval '1 millisecond',
                       convert_to('Content-Type: application/json' || chr(13) || chr(10), 'UTF8'),
                       convert_to(rpad(repeat(md5(i::text), 9), 300, '.'), 'UTF8')
                  from generate_series(1, %1$d) i
                """.formatted(rows / 5 * 3, rows / 5 * 2);
    }

    /// A tenth of them, those whose responses are past their retention the longest, are so too: rejections, for which a purge
    /// can be told apart from that of responses. It deletes them by the statement and an index like those of the others.
    private static String entries(int rows) {
        return """
                insert into entry (
                    entry_id, client, idempotency_key, route, method, target, fingerprint, sent_as, state, attempt,
                    claimed_at, first_forward_at, lease_until, recorded_at, status, rejection, expires_at)
                select id, 'pipelines', 'order-' || id, 'payments', 'POST', '/payments',
                       '\\x01'::bytea || uuid_send(id) || uuid_send(id), substr(uuid_send(id), 1, 8), 1, i,
                       at, at, at + interval '40 seconds', at, case when old then 422 else 201 end, old,
                       case when old then at + interval '40 days' end
                  from (select md5(i::text)::uuid as id, i, i <= %2$d as old,
                               now() - interval '90 days' + i * interval '1 millisecond' as at
                          from generate_series(1, %1$d) i) made
                """.formatted(rows, rows / 10);
    }

    private final BenchServer server;
    private final String database;

    Filling(BenchServer server, String database) {
        this.server = server;
        this.database = database;
    }

    /// @param rows how many entries
    void fill(int rows) throws Exception {
        both(() -> refill("response", responses(rows)), () -> refill("entry", entries(rows)));
        server.execute("checkpoint");
    }

    private void both(SqlWork one, SqlWork other) throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = List.of(threads.submit(one::asCallable), threads.submit(other::asCallable));
            for (Future<?> each : all) {
                each.get();
            }
        }
    }

    private void refill(String table, String insert) throws SQLException {
        try (Connection connection = server.connect(database);
                Statement statement = connection.createStatement()) {
            List<String> indexes = indexes(statement, table);
            statement.execute("alter table " + table + " drop constraint " + table + "_pkey");
            for (String index : indexes) {
                statement.execute("drop index " + index.replaceFirst("(?i).* index (\\S+) on .*", "$1"));
            }
            statement.execute("set maintenance_work_mem = '256MB'");
            statement.execute(insert);
            statement.execute("alter table " + table + " add primary key (entry_id)");
            for (String index : indexes) {
                statement.execute(index);
            }
            statement.execute("vacuum analyze " + table);
        }
    }

    private static List<String> indexes(Statement statement, String table) throws SQLException {
        List<String> indexes = new ArrayList<>();
        try (ResultSet row = statement.executeQuery("select indexdef from pg_indexes where tablename = '" + table
                + "' and indexname <> '" + table + "_pkey'")) {
            while (row.next()) {
                indexes.add(row.getString(1));
            }
        }
        return indexes;
    }

    private interface SqlWork {
        void run() throws SQLException;

        default Object asCallable() throws SQLException {
            run();
            return this;
        }
    }
}

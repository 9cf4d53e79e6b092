package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.protocol.State;
import dev.latchkey.testing.Received;
import dev.latchkey.testing.TestPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// What callers were told was recorded while [FuzzIT] ran, held against ledger and downstream at its end. Safe for any
/// number of threads.
final class FuzzAudit {

    /// More would take longer than they were made in.
    private static final int MOST = 500;
    private static final Set<String> KEYED = Set.of("POST", "PATCH", "PUT", "DELETE");

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>(MOST);

    private record Told(byte[] request, String answer) {}

    /// Sends a request and gives the answer to it.
    interface Sender {
        String send(byte[] request) throws Exception;
    }

    /// Keeps some of them.
    ///
    /// @param answer that says that it is recorded
    void note(byte[] request, String answer) {
        // One that finds no room is one too many.
        boolean _ = told.offer(new Told(request, answer));
    }

    /// Repeats them where no memory has them.
    ///
    /// @param repeat holds an answer against the first one
    void repeat(Sender other, Repeated repeat) throws Exception {
        assertThat(told).isNotEmpty();
        for (Told each : told) {
            repeat.check(each.request(), each.answer(), other.send(each.request()));
        }
    }

    /// Holds a later answer to a request against the first one.
    interface Repeated {
        void check(byte[] request, String first, String later);
    }

    /// Each effect under a key has its entry, and each recorded entry its one effect.
    static void agree(TestPostgres database, List<Received> received) {
        List<String> effects = received.stream()
                .filter(each -> KEYED.contains(each.method()) && !each.key().isEmpty())
                .map(Received::key)
                .toList();
        assertThat(effects).isNotEmpty().doesNotHaveDuplicates();
        assertThat(keys(database, "true")).containsAll(effects);
        assertThat(keys(database, "state = " + State.RECORDED.code())).isNotEmpty()
                .isSubsetOf(new TreeSet<>(effects));
    }

    /// Of calls, and not of claims that their callers hold themselves.
    private static List<String> keys(TestPostgres database, String condition) {
        List<String> keys = new ArrayList<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select idempotency_key from entry where route = 'payments' and " + condition)) {
            while (row.next()) {
                // As a header field brings it.
                keys.add(row.getString(1).strip());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return keys;
    }
}

package dev.latchkey.postgres;

import dev.latchkey.encryption.KeyRing;
import dev.latchkey.encryption.RingKey;
import dev.latchkey.gateway.LedgerUnavailable;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Holds the keys of the settings against those that the ledger was encrypted with: a wrong or missing one is found at the
/// start and not at a replay.
final class KeyCheck {

    private final Sessions sessions;
    private final KeyRing ring;
    private final Set<String> retired;

    /// @param retired ids of keys that are given up, with what they encrypted
    KeyCheck(Sessions sessions, KeyRing ring, Set<String> retired) {
        this.sessions = sessions;
        this.ring = ring;
        this.retired = Set.copyOf(retired);
    }

    /// Looks, and notes the keys that are new here.
    ///
    /// @throws LedgerUnfit when a key is wrong or missing, and what to do
    /// @throws LedgerUnavailable when the server does not answer
    void check() {
        try (Connection connection = sessions.getConnection()) {
            check(connection);
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    /// The same, on a connection that is there.
    void check(Connection connection) {
        try {
            if (compare(connection)) {
                return;
            }
            for (RingKey key : ring.keys()) {
                add(connection, key);
            }
            // Another replica may have noted another key by the same name meanwhile.
            compare(connection);
        } catch (SQLException e) {
            throw refused(e);
        }
    }

    private static RuntimeException refused(SQLException e) {
        String state = String.valueOf(e.getSQLState());
        return state.equals("42501")
                ? new LedgerUnfit("ledger.user may not read and add to the table ledger_key: grant it select and insert"
                        + " there.", e)
                : new LedgerUnavailable("The ledger's keys cannot be looked at (SQLSTATE " + state + ")", false, e);
    }

    /// Whether every key of the settings is noted already.
    private boolean compare(Connection connection) throws SQLException {
        Map<String, List<byte[]>> noted = noted(connection);
        for (RingKey key : ring.keys()) {
            List<byte[]> checks = noted.getOrDefault(key.id(), List.of());
            for (byte[] check : checks) {
                if (!Arrays.equals(check, key.check())
                        && checks.stream().anyMatch(it -> Arrays.equals(it, key.check()))) {
                    throw new LedgerUnfit("Two keys are noted in the ledger under the id \"" + key.id()
                            + "\": replicas with different settings started at once. Stop them, write the same key into"
                            + " all settings, delete from ledger_key where key_id = '" + key.id()
                            + "', and start them again.");
                }
                if (!Arrays.equals(check, key.check())) {
                    throw new LedgerUnfit("The key \"" + key.id()
                            + "\" in ledger.encryption.keys is not the one of that"
                            + " name that this ledger was encrypted with: give that one back, or give the new key a new"
                            + " id and keep the old one behind it.");
                }
            }
        }
        Set<String> missing = new TreeSet<>(noted.keySet());
        missing.removeAll(retired);
        ring.keys().forEach(key -> missing.remove(key.id()));
        if (!missing.isEmpty()) {
            throw new LedgerUnfit(missing(missing));
        }
        return ring.keys().stream().allMatch(key -> noted.containsKey(key.id()));
    }

    private String missing(Set<String> ids) {
        String names = ids.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(", "));
        String lack = ring.isEmpty() ? "the settings name no key" : "ledger.encryption.keys does not have it";
        return "This ledger was encrypted with " + names + ", and " + lack + ": add it there. If what it encrypted is"
                + " given up, write its id into ledger.encryption.retired.";
    }

    private static Map<String, List<byte[]>> noted(Connection connection) throws SQLException {
        Map<String, List<byte[]>> noted = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(KeySql.ALL)) {
            while (row.next()) {
                noted.computeIfAbsent(row.getString(1), _ -> new ArrayList<>()).add(row.getBytes(2));
            }
        }
        return noted;
    }

    /// As durable as any write: behind a pooler the session's own settings need not hold.
    private void add(Connection connection, RingKey key) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement settings = connection.createStatement();
                PreparedStatement statement = connection.prepareStatement(KeySql.ADD)) {
            if (!sessions.told().isEmpty()) {
                settings.execute(sessions.told().forTransaction());
            }
            statement.setString(1, key.id());
            statement.setBytes(2, key.check());
            statement.setString(3, key.id());
            statement.executeUpdate();
            connection.commit();
            WarningsFail.look(statement.getWarnings());
            WarningsFail.look(connection.getWarnings());
        }
        connection.setAutoCommit(true);
    }
}

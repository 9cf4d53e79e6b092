package dev.latchkey.postgres;

import dev.latchkey.postgres.PostgresSettings.Durability;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/// Sets up one connection and looks whether its server keeps what it acknowledges.
final class ServerCheck {

    static final String NO_STANDBY = "no synchronous standby is connected";

    private static final int OLDEST = 140000;

    /// A role or a database may have `synchronous_commit` off by default.
    private static final ServerSettings DURABLE = ServerSettings.NONE.andExpression(
            "synchronous_commit",
            "case when current_setting('synchronous_commit') = 'remote_apply' then 'remote_apply' else 'on' end");

    /// Shorter than the socket's timeout: the server's own word comes first, and says that nothing was committed.
    private static final ServerSettings BOUNDED = ServerSettings.NONE
            .and("lock_timeout", "2s")
            .and("statement_timeout", "4s")
            .and("idle_in_transaction_session_timeout", "10s");

    private static final String LOOK =
            """
                    select current_setting('server_version_num')::int as version,
                           pg_is_in_recovery() as standby,
                           current_setting('transaction_read_only')::boolean as read_only,
                           current_setting('fsync')::boolean as fsync,
                           current_setting('full_page_writes')::boolean as full_page_writes,
                           current_setting('synchronous_standby_names') as standby_names,
                           pg_backend_pid() as pid;
                    """;

    /// Whoever may not see the standbys' state sees null.
    private static final String STANDBYS =
            """
                    select count(*) filter (where sync_state in ('sync', 'quorum')) as synchronous,
                           count(*) filter (where sync_state is null) as hidden
                      from pg_stat_replication
                    """;

    private ServerCheck() {}

    /// What each of our sessions is told, or each transaction.
    ///
    /// @param bounded whether its waits are
    static ServerSettings settings(Durability durability, boolean bounded) {
        ServerSettings durable = durability == Durability.UNSAFE ? ServerSettings.NONE : DURABLE;
        return bounded ? durable.and(BOUNDED) : durable;
    }

    /// @param settings of the session; behind a pooler they are only tried
    /// @return whether a pooler is between
    /// @throws UnfitServer when the server must not be used
    static boolean run(Connection connection, Durability durability, ServerSettings settings) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            boolean pooled;
            try (ResultSet seen = statement.executeQuery(LOOK)) {
                seen.next();
                judge(seen, durability);
                pooled = Pooler.isBetween(connection, seen.getInt("pid"));
            }
            if (!settings.isEmpty()) {
                try (ResultSet set = statement
                        .executeQuery(pooled ? settings.forTransaction() : settings.forSession())) {
                    set.next();
                    requireDurable(set.getString(1), durability);
                }
            }
            if (durability == Durability.REPLICATED) {
                requireStandby(statement);
            }
            return pooled;
        }
    }

    private static void judge(ResultSet seen, Durability durability) throws SQLException {
        if (seen.getInt("version") < OLDEST) {
            throw new UnfitServer("The ledger needs PostgreSQL 14 or newer.");
        }
        if (seen.getBoolean("standby")) {
            throw UnfitServer.standby();
        }
        if (seen.getBoolean("read_only")) {
            throw new NotReady("its server takes no writes: default_transaction_read_only is on");
        }
        if (durability == Durability.UNSAFE) {
            return;
        }
        if (!seen.getBoolean("fsync") || !seen.getBoolean("full_page_writes")) {
            throw new UnfitServer("The ledger's server runs with fsync or full_page_writes off and can lose what it"
                    + " acknowledged: turn them on (for development: ledger.durability: unsafe).");
        }
        if (durability == Durability.REPLICATED && seen.getString("standby_names").isBlank()) {
            throw new UnfitServer(
                    "ledger.durability is replicated, and the server's synchronous_standby_names is empty:"
                            + " configure a synchronous standby.");
        }
    }

    /// @param commit what the first of the settings, `synchronous_commit`, became
    private static void requireDurable(String commit, Durability durability) throws UnfitServer {
        if (durability != Durability.UNSAFE && !commit.equals("on") && !commit.equals("remote_apply")) {
            throw new UnfitServer("The ledger's server does not let synchronous_commit be turned on.");
        }
    }

    private static void requireStandby(Statement statement) throws SQLException {
        try (ResultSet seen = statement.executeQuery(STANDBYS)) {
            seen.next();
            if (seen.getInt("synchronous") == 0 && seen.getInt("hidden") == 0) {
                throw new NotReady(NO_STANDBY);
            }
        }
    }
}

package dev.latchkey.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// Which line of history a server writes: a promotion begins a new one, with a higher number. So of two servers that both
/// take themselves for the primary, the one with the higher number was promoted last.
///
/// @param cluster made with the first server's files, and the same on all their copies
/// @param timeline grows with each promotion
record Lineage(long cluster, long timeline) {

    private static final String LOOK =
            """
                    select (select system_identifier from pg_control_system()) as cluster,
                           ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::bigint as timeline
                    """;

    /// The primary's; null: it does not tell, as services that only resemble PostgreSQL may.
    static @Nullable Lineage of(Statement primary) throws SQLException {
        try (ResultSet row = primary.executeQuery(LOOK)) {
            row.next();
            return new Lineage(row.getLong("cluster"), row.getLong("timeline"));
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            if (state.startsWith("08") || state.startsWith("57")) {
                throw e;
            }
            return null;
        }
    }

    /// Whether that one was promoted after this one.
    boolean isBefore(Lineage other) {
        return cluster == other.cluster && timeline < other.timeline;
    }
}

package dev.latchkey.postgres;

/// What several statements share.
final class EntrySql {

    /// Every column, named and not starred: a prepared statement must not change its result when a newer version adds one.
    static final String COLUMNS =
            """
                    e.entry_id, e.client, e.idempotency_key, e.route, e.method, e.target, e.fingerprint, e.correction, e.sent_as,
                    e.state, e.attempt, e.attempts, e.claimed_at, e.first_forward_at, e.lease_until, e.in_doubt_since, e.cause,
                    e.recorded_at, e.expires_at, e.status, e.rejection, e.settled_by, e.erased,
                    e.released_on_expiry
                    """;

    private EntrySql() {}

    static String withColumns(String sql) {
        return sql.replace("{columns}", COLUMNS);
    }
}

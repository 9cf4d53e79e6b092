package dev.latchkey.postgres;

import static dev.latchkey.postgres.EntrySql.withColumns;

/// How the ledger is read.
final class ReadSql {

    static final String FIND = withColumns(
            """
                    select {columns}, r.entry_id is not null as has_response, r.expires_at as response_expires_at,
                           r.headers, r.body, now() as now
                      from entry e left join response r on r.entry_id = e.entry_id
                     where e.entry_id = :id
                    """);

    /// Lengths are told without reading what is long, so only what is brought is read.
    static final String LOOK = withColumns(
            """
                    select *
                      from (select w.entry_id as watched_entry, w.attempt as watched_attempt, {columns},
                                   r.entry_id is not null as has_response, r.expires_at as response_expires_at,
                                   r.headers, r.body, now() as now,
                                   sum(1000 + coalesce(octet_length(r.headers), 0) + coalesce(octet_length(r.body), 0))
                                       over (rows between unbounded preceding and 1 preceding) as bytes_before
                              from unnest(:ids, :attempts) as w(entry_id, attempt)
                                   left join entry e on e.entry_id = w.entry_id
                                   left join response r on r.entry_id = e.entry_id
                             where e.entry_id is null or e.attempt <> w.attempt or e.state <> 0 or e.lease_until < now()
                           ) ended
                     where bytes_before is null or bytes_before < :bytes
                    """);

    /// One condition for each part of a query that is given.
    static final String LIST = withColumns(
            """
                    select {columns}
                      from entry e
                     where true {conditions}
                     order by e.claimed_at desc, e.entry_id desc
                     limit :limit
                    """);

    static final String BY_STATE = "and e.state = :state";
    static final String BY_CLIENT = "and e.client = :client";
    static final String BY_ROUTE = "and e.route = :route";
    static final String BY_KEY = "and e.idempotency_key = :key";
    static final String SINCE = "and e.claimed_at >= cast(:since as timestamptz)";
    static final String AFTER = "and (e.claimed_at, e.entry_id) < (cast(:afterAt as timestamptz), :afterId)";

    static final String NOW = "select now()";

    static final String YES = "select true";

    static final String HISTORY =
            """
                    select at, kind, attempt, cause, by_whom, status
                      from entry_event
                     where entry_id = :id
                     order by at, kind
                    """;

    static final String DOUBTS =
            """
                    select count(*) as doubts, extract(epoch from now() - min(in_doubt_since)) as oldest from entry where state = 2
                    """;

    /// Each of them from a partial index and to a bound, or from the server's own statistics: a few milliseconds, however
    /// many there are. Statistics that know of few rows are not believed.
    static final String COUNTS =
            """
                    select claimed, released,
                           case when estimate >= :few then greatest(estimate - claimed - released, 0)
                                else (select count(*) from (select from entry where state = 1 limit :few) few) end as recorded
                      from (select (select count(*) from (select from entry where state = 0 limit :most) c) as claimed,
                                   (select count(*) from (select from entry where state = 3 limit :most) r) as released,
                                   coalesce((select cast(reltuples as bigint) from pg_class
                                              where oid = cast('entry' as regclass)), -1) as estimate) seen
                    """;

    static final String DOUBT_GROUPS =
            """
                    select cause, route, client, count(*) as doubts, min(in_doubt_since) as oldest,
                           max(in_doubt_since) as newest
                      from entry
                     where state = 2
                     group by cause, route, client
                     order by doubts desc, cause, route, client
                    """;

    static final String STANDBYS = "select current_setting('synchronous_standby_names') <> ''";

    static final String STANDBY_CONNECTED =
            """
                    select current_setting('synchronous_standby_names') = ''
                        or exists (select from pg_stat_replication
                                    where sync_state in ('sync', 'quorum') or sync_state is null)
                    """;

    private ReadSql() {}
}

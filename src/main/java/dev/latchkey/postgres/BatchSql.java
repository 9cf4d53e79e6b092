package dev.latchkey.postgres;

import static dev.latchkey.postgres.EntrySql.withColumns;

/// Many first claims and many records in one statement, which is one transaction: the counterpart of [ClaimSql#FIRST] and
/// [SettleSql#RECORD], with their conditions. For PostgreSQL itself; whoever speaks its language only may dislike it.
final class BatchSql {

    /// What makes a session fit for it. A plan is made once, on whatever the table is then: an early one must not scan it
    /// for ever. A claim that meets another's open transaction waits for that, and its whole lane with it: not for long.
    static final ServerSettings SESSION = ServerSettings.NONE
            .and("plan_cache_mode", "force_generic_plan")
            .and("enable_hashjoin", "off")
            .and("enable_mergejoin", "off")
            .and("enable_seqscan", "off")
            .and("lock_timeout", "250ms");

    /// Rows come in the order of their ids, so that most batches lock in the same order. A claim's row tells by its
    /// attempt who won. What was there before the statement is told with its response, unless that is large: whoever lost
    /// and is not told of what was there must look. The last row tells how long the server worked, without the commit.
    static final String WRITE = withColumns(
            """
                    with won as (
                        update entry e
                           set state = 1, status = u.status, recorded_at = now(), settled_by = null,
                               rejection = u.rejection and e.in_doubt_since is null,
                               expires_at = now() + case when u.rejection and e.in_doubt_since is null
                                                         then u.rejection_kept else u.entry_kept end * interval '1 microsecond'
                          from unnest(
                                   cast(:recordIds as uuid[]), cast(:recordAttempts as bigint[]),
                                   cast(:statuses as int[]), cast(:rejections as boolean[]), cast(:successes as boolean[]),
                                   cast(:entryKept as bigint[]), cast(:rejectionKept as bigint[]),
                                   cast(:responseKept as bigint[]), cast(:rejectedResponseKept as bigint[]),
                                   cast(:headers as bytea[]), cast(:bodies as bytea[]))
                               as u (id, attempt, status, rejection, success, entry_kept, rejection_kept, response_kept,
                                     rejected_response_kept, headers, body)
                         where e.entry_id = u.id and e.attempt = u.attempt
                           and (e.state in (0, 2) or e.state = 3 and u.success)
                        returning {columns}, u.response_kept, u.rejected_response_kept, u.headers, u.body),
                    kept as (
                        insert into response (entry_id, expires_at, headers, body)
                        select entry_id,
                               recorded_at + case when rejection then rejected_response_kept else response_kept end
                                             * interval '1 microsecond',
                               headers, body
                          from won
                         where not erased
                        on conflict (entry_id) do update
                           set expires_at = excluded.expires_at, headers = excluded.headers, body = excluded.body
                        returning 1),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, status, client, route)
                        select entry_id, 'settled', attempt, 'response', status, client, route from won where cause is not null
                        on conflict do nothing),
                    claimed as (
                        insert into entry as e (
                            entry_id, client, idempotency_key, route, method, target, fingerprint, sent_as, state, attempt,
                            lease_until, released_on_expiry)
                        select u.id, u.client, u.key, u.route, u.method, u.target, u.fingerprint, u.sent_as, 0, u.attempt,
                               now() + u.lease * interval '1 microsecond', u.released_on_expiry
                          from unnest(
                                   cast(:claimIds as uuid[]), cast(:clients as text[]), cast(:keys as text[]),
                                   cast(:routes as text[]), cast(:methods as text[]), cast(:targets as text[]),
                                   cast(:fingerprints as bytea[]), cast(:sentAs as bytea[]),
                                   cast(:claimAttempts as bigint[]), cast(:leases as bigint[]),
                                   cast(:releasedOnExpiry as boolean[]))
                               as u (id, client, key, route, method, target, fingerprint, sent_as, attempt, lease,
                                     released_on_expiry)
                         where not :replicated or current_setting('synchronous_standby_names') <> ''
                        on conflict (entry_id) do nothing
                        returning e.entry_id, e.attempt)
                    select {columns}, cast(null as uuid) as claimed_id, cast(null as bigint) as claimed_attempt,
                           cast(null as boolean) as has_response, cast(null as timestamptz) as response_expires_at,
                           cast(null as bytea) as headers, cast(null as bytea) as body,
                           cast(null as double precision) as worked, now() as now from won e
                    union all
                    select {columns}, c.entry_id, c.attempt, null, null, null, null, null, now()
                      from claimed c left join entry e on false
                    union all
                    select {columns}, null, null, r.entry_id is not null, r.expires_at, r.headers, r.body, null, now()
                      from entry e left join response r on r.entry_id = e.entry_id
                     where e.entry_id = any(cast(:claimIds as uuid[]))
                           and coalesce(octet_length(r.body), 0) + coalesce(octet_length(r.headers), 0) <= :largest
                    union all
                    select {columns}, null, null, null, null, null, null,
                           cast(extract(epoch from clock_timestamp() - now()) * 1000000 as double precision), now()
                      from (select count(*) from kept) as all_kept left join entry e on false
                    """);

    /// Several entries and their responses, but for large bodies: who wants one of those reads it alone.
    static final String FIND = withColumns(
            """
                    select {columns}, r.entry_id is not null as has_response, r.expires_at as response_expires_at,
                           r.headers, case when octet_length(r.body) <= :largest then r.body end as body,
                           coalesce(octet_length(r.body) > :largest, false) as too_large, now() as now
                      from entry e left join response r on r.entry_id = e.entry_id
                     where e.entry_id = any(:ids)
                    """);

    private BatchSql() {}
}

package dev.latchkey.postgres;

/// How the ledger is kept clean, a bounded chunk at once. Each repeats its conditions outside of the select that picks the
/// chunk: after a wait for a lock PostgreSQL looks again at those only (G14).
final class UpkeepSql {

    static final String SWEEP =
            """
                    with due as (
                        select entry_id from entry where state = 0 and lease_until < now() order by lease_until limit :most),
                    swept as (
                        update entry e
                           set state = case when e.released_on_expiry then 3 else 2 end, cause = :cause, status = null,
                               in_doubt_since = case when e.released_on_expiry then e.in_doubt_since
                                                     else coalesce(e.in_doubt_since, now()) end,
                               recorded_at = null, expires_at = null, rejection = false, settled_by = null
                          from due
                         where e.entry_id = due.entry_id and e.state = 0 and e.lease_until < now()
                        returning e.entry_id, e.attempt, e.cause, e.client, e.route, e.state),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, client, route)
                        select entry_id, 'in-doubt', attempt, cause, client, route from swept where state = 2
                        on conflict do nothing)
                    select count(*) from swept
                    """;

    static final String PURGE_RESPONSES =
            """
                    with old as (
                        select entry_id from response where expires_at <= now() order by expires_at limit :most),
                    gone as (
                        delete from response r using old
                         where r.entry_id = old.entry_id and r.expires_at <= now()
                        returning r.entry_id)
                    select count(*) from gone
                    """;

    static final String PURGE_RECORDED =
            """
                    with old as (
                        select entry_id from entry
                         where state = 1 and expires_at <= now() and not rejection
                         order by expires_at limit :most),
                    gone as (
                        delete from entry e using old
                         where e.entry_id = old.entry_id and e.state = 1 and e.expires_at <= now() and not e.rejection
                        returning e.entry_id),
                    with_them as (
                        delete from response r using gone where r.entry_id = gone.entry_id)
                    select count(*) from gone
                    """;

    /// They hold the correction number until the downstream has forgotten every key it was part of (G19).
    static final String PURGE_REJECTIONS =
            """
                    with old as (
                        select entry_id from entry
                         where state = 1 and rejection and expires_at <= now() - :keepFreed * interval '1 microsecond'
                         order by expires_at limit :most),
                    gone as (
                        delete from entry e using old
                         where e.entry_id = old.entry_id and e.state = 1 and e.rejection
                           and e.expires_at <= now() - :keepFreed * interval '1 microsecond'
                        returning e.entry_id),
                    with_them as (
                        delete from response r using gone where r.entry_id = gone.entry_id)
                    select count(*) from gone
                    """;

    static final String PURGE_RELEASED =
            """
                    with old as (
                        select entry_id from entry
                         where state = 3 and lease_until <= now() - :keepFreed * interval '1 microsecond'
                         order by lease_until limit :most),
                    gone as (
                        delete from entry e using old
                         where e.entry_id = old.entry_id and e.state = 3
                           and e.lease_until <= now() - :keepFreed * interval '1 microsecond'
                        returning e.entry_id),
                    with_them as (
                        delete from response r using gone where r.entry_id = gone.entry_id)
                    select count(*) from gone
                    """;

    private UpkeepSql() {}
}

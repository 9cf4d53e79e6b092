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

    /// What is past its retention, oldest first: a stretch of time, and not a list of ids, so that each row is found once. It
    /// begins where the last one ended: what was deleted before stays in the index until a vacuum, and would be walked over
    /// again by each chunk. A moment that the chunk may hold only a part of is left to the next; one that fills a whole
    /// chunk is told as such, and taken by [#PURGE_MOMENT].
    private static final String PURGE =
            """
                    with old as (
                        select p.{time} as due from {table} p
                         where {condition} and p.{time} >= cast(:since as timestamptz)
                           and p.{time} <= now() - :kept * interval '1 microsecond'
                         order by p.{time} limit :most),
                    stretch as (
                        select count(*) as picked, min(due) as first, max(due) as last,
                               case when count(*) < :most then max(due)
                                    else (select max(due) from old where due < (select max(due) from old)) end as upto
                          from old),
                    gone as (
                        delete from {table} p using stretch s
                         where p.{time} >= s.first and p.{time} <= s.upto
                           and {condition} and p.{time} <= now() - :kept * interval '1 microsecond'
                        returning p.entry_id)
                    {with_them}
                    select (select count(*) from gone) as gone, picked, upto, last, picked > 0 and upto is null as one_moment,
                           extract(epoch from now() - :kept * interval '1 microsecond' - first) as behind
                      from stretch
                    """;

    private static final String PURGE_MOMENT =
            """
                    with old as (
                        select p.entry_id from {table} p
                         where {condition} and p.{time} = cast(:moment as timestamptz)
                           and p.{time} <= now() - :kept * interval '1 microsecond'
                         limit :most),
                    gone as (
                        delete from {table} p using old
                         where p.entry_id = old.entry_id and p.{time} = cast(:moment as timestamptz)
                           and {condition} and p.{time} <= now() - :kept * interval '1 microsecond'
                        returning p.entry_id)
                    {with_them}
                    select count(*) from gone
                    """;

    /// Whether calls are under way anywhere, however many replicas there are.
    static final String CALLS_UNDER_WAY =
            """
                    select exists (select 1 from entry where state = 0 and lease_until >= now())
                    """;

    /// One kind of row that has a retention.
    ///
    /// @param stretch a statement that deletes a chunk
    /// @param moment a statement that deletes a chunk of those that are due at one moment
    record Kind(String stretch, String moment) {

        private static Kind of(String table, String time, String condition, String withThem) {
            return new Kind(
                    fill(PURGE, table, time, condition, withThem),
                    fill(PURGE_MOMENT, table, time, condition, withThem));
        }

        private static Kind entries(String time, String condition) {
            return of("entry", time, condition,
                    ", with_them as (delete from response r using gone where r.entry_id = gone.entry_id)");
        }

        private static String fill(String sql, String table, String time, String condition, String withThem) {
            return sql.replace("{table}", table)
                    .replace("{time}", time)
                    .replace("{condition}", condition)
                    .replace("{with_them}", withThem);
        }
    }

    static final Kind RESPONSES = Kind.of("response", "expires_at", "true", "");

    static final Kind RECORDED = Kind.entries("expires_at", "p.state = 1 and not p.rejection");

    /// They hold the correction number until the downstream has forgotten every key it was part of (G19).
    static final Kind REJECTIONS = Kind.entries("expires_at", "p.state = 1 and p.rejection");

    /// These too.
    static final Kind RELEASED = Kind.entries("lease_until", "p.state = 3");

    private UpkeepSql() {}
}

package dev.latchkey.postgres;

import static dev.latchkey.postgres.EntrySql.withColumns;

/// How an attempt ends: the counterpart of each `Transition.applyTo`. Each statement is a transaction of its own and
/// compares attempt and state (G1); no row means lost.
final class SettleSql {

    /// Takes back a freed key on success (G18). What was in doubt or freed before gets a line of history: of these alone
    /// the cause is known.
    static final String RECORD = withColumns(
            """
                    with won as (
                        update entry e
                           set state = 1, status = :status, recorded_at = now(), settled_by = null,
                               rejection = :rejection and e.in_doubt_since is null,
                               expires_at = now() + case when :rejection and e.in_doubt_since is null
                                                         then :rejectionKept else :entryKept end * interval '1 microsecond'
                         where e.entry_id = :id and e.attempt = :attempt
                           and (e.state in (0, 2) or e.state = 3 and :succeeded)
                        returning {columns}),
                    kept as (
                        insert into response as r (entry_id, expires_at, headers, body)
                        select entry_id,
                               recorded_at + case when rejection then :rejectedResponseKept else :responseKept end
                                             * interval '1 microsecond',
                               :headers, :body
                          from won
                         where not erased
                        on conflict (entry_id) do update
                           set expires_at = excluded.expires_at, headers = excluded.headers, body = excluded.body
                        returning r.expires_at),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, status, client, route)
                        select entry_id, 'settled', attempt, 'response', status, client, route from won where cause is not null
                        on conflict do nothing)
                    select won.*, kept.expires_at as response_expires_at, now() as now from won left join kept on true
                    """);

    /// A first forward only (G2), its own doubt too (G9). The attempt and the correction number stay (G18, G19).
    static final String RELEASE = withColumns(
            """
                    with won as (
                        update entry e
                           set state = 3, cause = :cause, recorded_at = null, expires_at = null, status = null,
                               rejection = false, settled_by = null
                         where e.entry_id = :id and e.attempt = :attempt and e.attempts = 1 and e.state in (0, 2)
                        returning {columns}),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, client, route)
                        select entry_id, 'settled', attempt, cause, client, route from won where in_doubt_since is not null
                        on conflict do nothing)
                    select won.*, now() as now from won
                    """);

    /// Since when is set once (G20).
    static final String DOUBT = withColumns(
            """
                    with won as (
                        update entry e
                           set state = 2, in_doubt_since = coalesce(e.in_doubt_since, now()), cause = :cause, status = :status,
                               recorded_at = null, expires_at = null, rejection = false, settled_by = null
                         where e.entry_id = :id and e.attempt = :attempt and e.state = 0
                        returning {columns}),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, status, headers, body, client, route)
                        select entry_id, 'in-doubt', attempt, cause, status, :headers, :body, client, route from won
                        on conflict do nothing)
                    select won.*, now() as now from won
                    """);

    /// By the ledger's clock only.
    static final String LEASE_OVER = withColumns(
            """
                    with won as (
                        update entry e
                           set state = case when e.released_on_expiry then 3 else 2 end, cause = :cause, status = null,
                               in_doubt_since = case when e.released_on_expiry then e.in_doubt_since
                                                     else coalesce(e.in_doubt_since, now()) end,
                               recorded_at = null, expires_at = null, rejection = false, settled_by = null
                         where e.entry_id = :id and e.attempt = :attempt and e.state = 0 and e.lease_until < now()
                        returning {columns}),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, client, route)
                        select entry_id, 'in-doubt', attempt, cause, client, route from won where state = 2
                        on conflict do nothing)
                    select won.*, now() as now from won
                    """);

    /// A holder's claim, while it holds.
    static final String RENEW = withColumns(
            """
                    with won as (
                        update entry e
                           set lease_until = now() + :lease * interval '1 microsecond'
                         where e.entry_id = :id and e.attempt = :attempt and e.state = 0 and e.lease_until >= now()
                        returning {columns})
                    select won.*, now() as now from won
                    """);

    /// Under the settler's own attempt id, so that a late record does not take it for its own (G5). Believed at any time.
    static final String EXECUTED = withColumns(
            """
                    with won as (
                        update entry e
                           set state = 1, attempt = :own, status = :status, recorded_at = now(), rejection = false,
                               settled_by = :settler, expires_at = now() + :entryKept * interval '1 microsecond'
                         where e.entry_id = :id and e.state = 2 and e.attempt = :attempt
                        returning {columns}),
                    kept as (
                        insert into response as r (entry_id, expires_at, headers, body)
                        select entry_id, recorded_at + :responseKept * interval '1 microsecond', :headers, :body from won
                        on conflict (entry_id) do update
                           set expires_at = excluded.expires_at, headers = excluded.headers, body = excluded.body
                        returning r.expires_at),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, by_whom, status, client, route)
                        select entry_id, 'settled', :attempt, :reason, :by, status, client, route from won
                        on conflict do nothing)
                    select won.*, kept.expires_at as response_expires_at, now() as now from won, kept
                    """);

    /// Only on a look that began later than the lease's end and the delay (G4), and not while the downstream would still
    /// deduplicate a repeat. The attempt stays (G5).
    static final String NOT_EXECUTED = withColumns(
            """
                    with won as (
                        update entry e
                           set state = 3, cause = :settler, recorded_at = null, expires_at = null, status = null,
                               rejection = false, settled_by = null
                         where e.entry_id = :id and e.state = 2 and e.attempt = :attempt
                           and e.lease_until + :settleDelay * interval '1 microsecond' <= cast(:asOf as timestamptz)
                           and cast(:asOf as timestamptz) <= now()
                           and (cast(:deduplicates as bigint) is null
                                or now() + :timeout * interval '1 microsecond'
                                   > e.first_forward_at + :deduplicates * interval '1 microsecond')
                        returning {columns}),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, by_whom, client, route)
                        select entry_id, 'settled', attempt, :reason, :by, client, route from won
                        on conflict do nothing)
                    select won.*, now() as now from won
                    """);

    /// G7: a write, whose acknowledgement also covers the one that was lost.
    static final String CONFIRM =
            """
                    update entry set lease_until = lease_until where entry_id = :id and attempt = :attempt and state = :state
                    """;

    /// G18: the row was purged while the response was on its way. Not what was erased, which its history still says.
    static final String PUT_BACK =
            """
                    with back as (
                        insert into entry (
                            entry_id, client, idempotency_key, route, method, target, fingerprint, correction, sent_as, state,
                            attempt, attempts, claimed_at, first_forward_at, lease_until, in_doubt_since, cause, recorded_at,
                            expires_at, status)
                        select :id, :client, :key, :route, :method, :target, :fingerprint, :correction, :sentAs, 1,
                            :attempt, :attempts, cast(:claimedAt as timestamptz), cast(:firstForwardAt as timestamptz),
                            cast(:leaseUntil as timestamptz), cast(:inDoubtSince as timestamptz), :cause, now(),
                            now() + :entryKept * interval '1 microsecond', :status
                         where not exists (select 1 from entry_event where entry_id = :id and kind = 'erased')
                        on conflict (entry_id) do nothing
                        returning entry_id, recorded_at, client, route, status),
                    kept as (
                        insert into response (entry_id, expires_at, headers, body)
                        select entry_id, recorded_at + :responseKept * interval '1 microsecond', :headers, :body from back
                        on conflict (entry_id) do update
                           set expires_at = excluded.expires_at, headers = excluded.headers, body = excluded.body),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, status, client, route)
                        select entry_id, 'put-back', :attempt, 'response', status, client, route from back
                        on conflict do nothing)
                    select entry_id from back
                    """;

    /// G18: a response that came too late to change anything; of what was erased, the status only.
    static final String NOTE_LATE =
            """
                    insert into entry_event (entry_id, kind, attempt, status, headers, body, client, route)
                    select :id, 'late-response', :attempt, :status,
                           case when coalesce(e.erased, false) then null else cast(:headers as bytea) end,
                           case when coalesce(e.erased, false) then null else cast(:body as bytea) end, e.client, e.route
                      from (select 1) as here left join entry e on e.entry_id = :id
                    on conflict do nothing
                    """;

    /// G15: the entry stays. Of its history the responses go, and what operators wrote.
    static final String ERASE = withColumns(
            """
                    with won as (
                        update entry e
                           set idempotency_key = '', target = '', erased = true
                         where e.entry_id = :id and e.state in (1, 3)
                        returning {columns}),
                    gone as (
                        delete from response r using won where r.entry_id = won.entry_id),
                    blanked as (
                        update entry_event v
                           set headers = null, body = null, cause = case when v.by_whom is null then v.cause end
                          from won
                         where v.entry_id = won.entry_id),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, by_whom, client, route)
                        select entry_id, 'erased', attempt, :reason, :by, client, route from won
                        on conflict do nothing)
                    select won.*, now() as now from won
                    """);

    private SettleSql() {}
}

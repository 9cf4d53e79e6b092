package dev.latchkey.postgres;

import static dev.latchkey.postgres.EntrySql.withColumns;

/// How the right to forward is won: the counterpart of `Claim.applyTo`. Each statement is a transaction of its own; no row
/// means lost.
///
/// With `:replicated`, nothing is claimed on a server that has no synchronous standby configured (G12).
final class ClaimSql {

    /// G1: the unique constraint decides.
    static final String FIRST = withColumns(
            """
                    insert into entry as e (
                        entry_id, client, idempotency_key, route, method, target, fingerprint, sent_as, state, attempt, lease_until,
                        released_on_expiry)
                    select :id, :client, :key, :route, :method, :target, :fingerprint, :sentAs, 0, :attempt,
                        now() + :lease * interval '1 microsecond', :releasedOnExpiry
                     where not :replicated or current_setting('synchronous_standby_names') <> ''
                    on conflict (entry_id) do nothing
                    returning {columns}
                    """);

    /// A correction, past its retention, or released. The old response goes with its generation, only for the row that was
    /// won (G21). `was` shows what the row held before, for the history only. What the request's fingerprint is depends on
    /// the key that made the row's: it is compared in every way that is known.
    static final String NEW_GENERATION = withColumns(
            """
                    with won as (
                        update entry e
                           set client = :client, idempotency_key = :key, route = :route, method = :method, target = :target,
                               fingerprint = :fingerprint, sent_as = :sentAs, state = 0, attempt = :attempt, attempts = 1,
                               claimed_at = now(), first_forward_at = now(),
                               lease_until = now() + :lease * interval '1 microsecond',
                               correction = e.correction + case when e.state = 1 and e.rejection then 1 else 0 end,
                               in_doubt_since = null, cause = null, recorded_at = null, expires_at = null, status = null,
                               rejection = false, settled_by = null, erased = false,
                               released_on_expiry = :releasedOnExpiry
                          from entry was
                         where e.entry_id = :id and e.attempt = :seen and was.entry_id = e.entry_id
                           and (not :replicated or current_setting('synchronous_standby_names') <> '')
                           and (e.state = 3
                                or e.state = 1 and e.expires_at <= now()
                                or e.state = 1 and e.rejection and not e.erased and :corrections
                                   and e.fingerprint <> all(:known) and e.route = :route and e.method = :method)
                        returning {columns}, was.status as was_status, was.attempt as was_attempt,
                            (was.state = 1 and was.rejection and was.fingerprint <> all(:known)) as corrects),
                    gone as (
                        delete from response r using won where r.entry_id = won.entry_id),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, status, client, route)
                        select entry_id, 'correction', attempt, was_status, client, route from won where corrects
                        on conflict do nothing)
                    select * from won
                    """);

    /// The same request again, under the same downstream key (G13: only while it must arrive inside the window).
    static final String REFORWARD = withColumns(
            """
                    with won as (
                        update entry e
                           set state = 0, attempt = :attempt, attempts = e.attempts + 1, claimed_at = now(),
                               lease_until = now() + :lease * interval '1 microsecond', recorded_at = null, expires_at = null,
                               status = null, rejection = false, settled_by = null
                         where e.entry_id = :id and e.state = 2 and e.attempt = :seen and e.fingerprint = any(:known)
                           and e.sent_as = :sentAs
                           and (not :replicated or current_setting('synchronous_standby_names') <> '')
                           and (:resend or now() + :timeout * interval '1 microsecond'
                                           <= e.first_forward_at + :deduplicates * interval '1 microsecond')
                        returning {columns}),
                    noted as (
                        insert into entry_event (entry_id, kind, attempt, cause, client, route)
                        select entry_id, 're-forward', attempt, cause, client, route from won
                        on conflict do nothing)
                    select * from won
                    """);

    private ClaimSql() {}
}

package dev.latchkey.postgres;

import dev.latchkey.gateway.Ledger.Settled;
import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// Carries out transitions.
final class Settlements {

    private final Database database;
    private final Reads reads;
    private final Rows rows;
    private final Seals seals;
    private final @Nullable GroupCommit group;

    /// @param group null: each record is a transaction of its own
    Settlements(Database database, Reads reads, Seals seals, @Nullable GroupCommit group) {
        this.database = database;
        this.reads = reads;
        this.rows = new Rows(seals);
        this.seals = seals;
        this.group = group;
    }

    /// What the server refuses for its data is tried again with less: a record without its response, then a doubt.
    Settled settle(EntryId id, long attempt, Transition transition) {
        Transition next = transition;
        while (true) {
            try {
                return once(id, attempt, next);
            } catch (DataRefused e) {
                next = Lesser.than(next).orElseThrow(() -> e);
            }
        }
    }

    private Settled once(EntryId id, long attempt, Transition transition) {
        GroupCommit together = group;
        Optional<Recording> recording =
                together == null ? Optional.empty() : Recording.in(id, attempt, transition, seals);
        Optional<Found> now = together == null || recording.isEmpty()
                ? alone(database, id, attempt, transition)
                : together.record(recording.get(), connections -> alone(connections, id, attempt, transition));
        return now.isPresent() ? new Settled.Applied(now.get()) : new Settled.Lost(reads.find(id));
    }

    private Optional<Found> alone(Database connections, EntryId id, long attempt, Transition transition) {
        return connections.write("settle", handle -> statement(handle, id, attempt, transition)
                .bind("id", id.uuid())
                .bind("attempt", attempt)
                .map((row, context) -> after(row, transition))
                .findOne());
    }

    private Found after(ResultSet row, Transition transition) throws SQLException {
        Entry entry = rows.entry(row);
        RecordedResponse response = entry.erased() ? null : switch (transition) {
            case Transition.Record it -> kept(row, it.headers(), it.body());
            case Transition.Executed it -> kept(row, it.headers(), it.body());
            case Transition.Result it -> kept(row, it.headers(), it.body());
            default -> null;
        };
        return new Found(entry, response, Rows.instant(row, "now"));
    }

    private static RecordedResponse kept(ResultSet row, Headers headers, @Nullable Body body) throws SQLException {
        return new RecordedResponse(headers, body, Rows.maybeInstant(row, "response_expires_at"));
    }

    private Query statement(Handle handle, EntryId id, long attempt, Transition transition) {
        return switch (transition) {
            case Transition.Record it -> record(handle, Recording.of(id, attempt, it, seals));
            case Transition.Result it -> record(handle, Recording.of(id, attempt, it, seals));
            case Transition.Renew it -> handle.createQuery(SettleSql.RENEW).bind("lease", Micros.of(it.lease()));
            case Transition.Release it -> handle.createQuery(SettleSql.RELEASE).bind("cause", it.cause().name());
            case Transition.Doubt it -> withResponse(
                    handle.createQuery(SettleSql.DOUBT),
                    it.status() == null ? null : seals.event(id, attempt, it.headers(), it.body()))
                    .bind("cause", it.cause().name())
                    .bind("status", it.status());
            case Transition.LeaseOver _ ->
                    handle.createQuery(SettleSql.LEASE_OVER).bind("cause", Cause.LEASE_OVER.name());
            case Transition.Executed it -> withResponse(
                    handle.createQuery(SettleSql.EXECUTED), seals.response(id, it.own(), it.headers(), it.body()))
                    .bind("own", it.own())
                    .bind("status", it.status())
                    .bind("settler", it.settler())
                    .bind("reason", it.reason())
                    .bind("by", it.by())
                    .bind("entryKept", Micros.of(it.retention().entryKept(false)))
                    .bind("responseKept", Micros.of(it.retention().responseKept(false)));
            case Transition.NotExecuted it -> handle.createQuery(SettleSql.NOT_EXECUTED)
                    .bind("asOf", it.asOf())
                    .bind("settleDelay", Micros.of(it.settleDelay()))
                    .bind("deduplicates", Micros.of(it.deduplicates()))
                    .bind("timeout", Micros.of(it.timeout()))
                    .bind("settler", it.settler())
                    .bind("reason", it.reason())
                    .bind("by", it.by());
        };
    }

    private static Query record(Handle handle, Recording it) {
        return withResponse(handle.createQuery(SettleSql.RECORD), it.kept())
                .bind("status", it.status())
                .bind("rejection", it.rejection())
                .bind("succeeded", it.succeeded())
                .bind("entryKept", Micros.of(it.retention().entryKept(false)))
                .bind("rejectionKept", Micros.of(it.retention().entryKept(true)))
                .bind("responseKept", Micros.of(it.retention().responseKept(false)))
                .bind("rejectedResponseKept", Micros.of(it.retention().responseKept(true)));
    }

    private static Query withResponse(Query query, Seals.@Nullable Kept kept) {
        return query.bind("headers", kept == null ? null : kept.headers())
                .bind("body", kept == null ? null : kept.body());
    }

    boolean confirm(EntryId id, long attempt, State state) {
        return database.write("confirm", handle -> handle.createUpdate(SettleSql.CONFIRM)
                .bind("id", id.uuid())
                .bind("attempt", attempt)
                .bind("state", state.code())
                .execute())
                == 1;
    }

    boolean putBack(Entry claimed, Transition.Record recorded) {
        if (!recorded.succeeded()) {
            return false;
        }
        try {
            return putBackOnce(claimed, recorded);
        } catch (DataRefused e) {
            return putBackOnce(claimed, Lesser.withoutResponse(recorded));
        }
    }

    private boolean putBackOnce(Entry claimed, Transition.Record recorded) {
        Cause cause = claimed.cause();
        Seals.Kept kept = seals.response(claimed.id(), claimed.attempt(), recorded.headers(), recorded.body());
        return database.write("put an entry back", handle -> handle.createQuery(SettleSql.PUT_BACK)
                .bind("id", claimed.id().uuid())
                .bind("client", claimed.client())
                .bind("key", claimed.key())
                .bind("route", claimed.route())
                .bind("method", claimed.method())
                .bind("target", seals.target(claimed.id(), claimed.target()))
                .bind("fingerprint", claimed.fingerprint().bytes())
                .bind("correction", claimed.correction())
                .bind("sentAs", claimed.sentAs().bytes())
                .bind("attempt", claimed.attempt())
                .bind("attempts", claimed.attempts())
                .bind("claimedAt", claimed.claimedAt())
                .bind("firstForwardAt", claimed.firstForwardAt())
                .bind("leaseUntil", claimed.leaseUntil())
                .bind("inDoubtSince", claimed.inDoubtSince())
                .bind("cause", cause == null ? null : cause.name())
                .bind("status", recorded.status())
                .bind("headers", kept.headers())
                .bind("body", kept.body())
                .bind("entryKept", Micros.of(recorded.retention().entryKept(false)))
                .bind("responseKept", Micros.of(recorded.retention().responseKept(false)))
                .mapTo(String.class)
                .findOne()
                .isPresent());
    }

    Settled erase(EntryId id, String reason, String by) {
        Optional<Found> now = database.write("erase", handle -> handle.createQuery(SettleSql.ERASE)
                .bind("id", id.uuid())
                .bind("reason", reason)
                .bind("by", by)
                .map((row, context) -> new Found(rows.entry(row), null, Rows.instant(row, "now")))
                .findOne());
        return now.isPresent() ? new Settled.Applied(now.get()) : new Settled.Lost(reads.find(id));
    }

    void noteLateResponse(EntryId id, long attempt, Transition.Record late) {
        try {
            note(id, attempt, late.status(), seals.event(id, attempt, late.headers(), late.body()));
        } catch (DataRefused e) {
            note(id, attempt, late.status(), null);
        }
    }

    private void note(EntryId id, long attempt, int status, Seals.@Nullable Kept kept) {
        database.write("note a late response", handle -> handle.createUpdate(SettleSql.NOTE_LATE)
                .bind("id", id.uuid())
                .bind("attempt", attempt)
                .bind("status", status)
                .bind("headers", kept == null ? null : kept.headers())
                .bind("body", kept == null ? null : kept.body())
                .execute());
    }
}

package dev.latchkey.postgres;

import dev.latchkey.gateway.Ledger.Claimed;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.protocol.Ask;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Fingerprint;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.Route;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;

/// Carries out claims.
final class Claims {

    private final Database database;
    private final Reads reads;
    private final Rows rows;
    private final Seals seals;
    private final boolean replicated;
    private final @Nullable GroupCommit group;

    /// @param replicated whether a claim needs a synchronous standby
    /// @param group null: each claim is a transaction of its own
    Claims(Database database, Reads reads, Seals seals, boolean replicated, @Nullable GroupCommit group) {
        this.database = database;
        this.reads = reads;
        this.rows = new Rows(seals);
        this.seals = seals;
        this.replicated = replicated;
        this.group = group;
    }

    Claimed claim(Claim claim) {
        // A claim on what was read compares with that, and is rare: it goes alone.
        Optional<Found> told = group != null && claim.grounds() instanceof Grounds.NoEntry
                ? group.claim(claim, connections -> alone(connections, claim))
                : alone(database, claim);
        if (told.isPresent() && told.get().entry().attempt() == claim.attempt()) {
            return new Claimed.Won(told.get().entry());
        }
        if (replicated && !reads.hasStandbys()) {
            throw new LedgerUnavailable(
                    "The ledger's server has no synchronous standby configured any more: nothing is claimed", false,
                    null);
        }
        // Where the claim's snapshot is older than the winner, the loser reads in a transaction of its own.
        return new Claimed.Lost(told.isPresent() ? told.get() : reads.find(claim.ask().id()));
    }

    private Optional<Found> alone(Database connections, Claim claim) {
        return connections.write("claim", handle -> statement(handle, claim)
                .map((row, context) -> rows.entry(row))
                .map(entry -> new Found(entry, null, entry.claimedAt()))
                .findOne());
    }

    private Query statement(Handle handle, Claim claim) {
        return switch (claim.grounds()) {
            case Grounds.NoEntry _ -> common(handle.createQuery(ClaimSql.FIRST), claim)
                    .bind("client", claim.ask().client())
                    .bind("key", claim.ask().key().text())
                    .bind("route", claim.ask().route().name())
                    .bind("method", claim.ask().method())
                    .bind("target", target(claim.ask()))
                    .bind("releasedOnExpiry", claim.ask().route().releasedOnExpiry());
            case Grounds.NewGeneration next -> common(handle.createQuery(ClaimSql.NEW_GENERATION), claim)
                    .bind("client", claim.ask().client())
                    .bind("key", claim.ask().key().text())
                    .bind("route", claim.ask().route().name())
                    .bind("method", claim.ask().method())
                    .bind("target", target(claim.ask()))
                    .bind("seen", next.seen())
                    .bind("releasedOnExpiry", claim.ask().route().releasedOnExpiry())
                    .bind("known", known(claim.ask()))
                    .bind("corrections", claim.ask().route().corrections());
            case Grounds.Reforward again -> common(handle.createQuery(ClaimSql.REFORWARD), claim)
                    .bind("seen", again.seen())
                    .bind("known", known(claim.ask()))
                    .bind("resend", claim.ask().route().resend())
                    .bind("timeout", Micros.of(claim.ask().route().timeout()))
                    .bind("deduplicates", Micros.of(claim.ask().route().deduplicates()));
        };
    }

    private String target(Ask ask) {
        return seals.target(ask.id(), ask.target());
    }

    private static byte[][] known(Ask ask) {
        return ask.fingerprints().stream().map(Fingerprint::bytes).toArray(byte[][]::new);
    }

    private Query common(Query query, Claim claim) {
        Ask ask = claim.ask();
        Route route = ask.route();
        return query.bind("id", ask.id().uuid())
                .bind("attempt", claim.attempt())
                .bind("fingerprint", ask.fingerprint().bytes())
                .bind("sentAs", route.sentAs().bytes())
                .bind("lease", Micros.of(route.lease()))
                .bind("replicated", replicated);
    }
}

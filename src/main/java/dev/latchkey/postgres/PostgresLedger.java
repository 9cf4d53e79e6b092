package dev.latchkey.postgres;

import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.LedgerUnavailable;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ledger on PostgreSQL: each write one statement, which is one transaction, or one of many in it. Safe for any number
/// of threads.
public final class PostgresLedger implements Ledger, AutoCloseable {

    /// One alone goes by the plain statement, which costs the server less.
    private static final int LEAST_TOGETHER = 2;

    private final Preparation preparation;
    private final Database database;
    private final Reads reads;
    private final Claims claims;
    private final Settlements settlements;
    private final Housekeeping housekeeping;
    private final Checkup checkup;
    private final Pulse pulse;
    private final Primary primary;
    private final @Nullable Database lanes;
    private final @Nullable GroupCommit group;
    private final @Nullable Lanes open;

    private PostgresLedger(PostgresSettings settings, int leastTogether, BatchWatch watch, Clocks clocks) {
        this.primary = new Primary(settings.url());
        Sessions sessions = Sessions.forCalls(settings, primary, clocks);
        this.pulse = new Pulse(clocks);
        this.preparation = new Preparation(
                new Schema(Sessions.forMigrations(settings, primary, clocks)), keyCheck(settings, sessions),
                settings.migrate());
        Seals seals = new Seals(settings.encryption().ring());
        Rows rows = new Rows(seals);
        Shares shares = Shares.of(settings.connections(), settings.writer());
        this.database = new Database(sessions, primary, shares.pool(), pulse);
        Database own = shares.batched() ? lanes(sessions, shares) : null;
        this.lanes = own;
        this.reads = own == null
                ? new Reads(database, rows)
                : new Reads(database, own, Lanes.one(shares.readers()), rows, clocks);
        this.open = own == null ? null : new Lanes(shares.writers(), clocks::nanos);
        this.group = own == null || open == null
                ? null
                : new GroupCommit(own, database, open, seals, sessions.replicated(), leastTogether, watch, clocks);
        this.claims = new Claims(database, reads, seals, sessions.replicated(), group);
        this.settlements = new Settlements(database, reads, seals, group);
        this.housekeeping = new Housekeeping(database);
        this.checkup = new Checkup(preparation, reads, pulse, primary, clocks);
        pulse.afterLoss(checkup::lookAgain);
    }

    /// On connections of their own, and one more to read together: what goes alone does not wait for them.
    private Database lanes(Sessions sessions, Shares shares) {
        return Database.growing(sessions, primary, "ledger-lanes", shares.writers() + 1, BatchSql.SESSION, pulse);
    }

    /// Opens the ledger and looks whether server and schema are fit; with `migrate`, brings the schema up to date. A server
    /// that does not answer is no failure: what is asked meanwhile is refused, and the look is made up for.
    ///
    /// @throws LedgerUnfit when server or schema must not be used; the message says why and what to do
    public static PostgresLedger open(PostgresSettings settings, Clocks clocks) {
        return open(settings, LEAST_TOGETHER, BatchWatch.NONE, clocks);
    }

    /// Opens the ledger, and has its group commits watched.
    ///
    /// @param watch sees each group commit
    /// @throws LedgerUnfit as the other
    public static PostgresLedger open(PostgresSettings settings, BatchWatch watch, Clocks clocks) {
        return open(settings, LEAST_TOGETHER, watch, clocks);
    }

    /// @param leastTogether how many claims and records are worth a statement of their own kind
    static PostgresLedger open(PostgresSettings settings, int leastTogether, Clocks clocks) {
        return open(settings, leastTogether, BatchWatch.NONE, clocks);
    }

    private static PostgresLedger open(
            PostgresSettings settings, int leastTogether, BatchWatch watch, Clocks clocks) {
        PostgresLedger ledger = new PostgresLedger(settings, leastTogether, watch, clocks);
        try {
            ledger.preparation.prepare();
            ledger.reads.ask();
        } catch (LedgerUnavailable e) {
            ledger.pulse.miss(ledger.primary.whyNot());
            return ledger;
        } catch (LedgerUnfit e) {
            ledger.close();
            throw e;
        }
        return ledger;
    }

    /// Brings the schema up to date, and notes the settings' keys.
    ///
    /// @throws LedgerUnfit when that cannot be done; the message says why and what to do
    /// @throws LedgerUnavailable when the server does not answer
    public static void migrate(PostgresSettings settings, Clocks clocks) {
        Sessions sessions = Sessions.forMigrations(settings, new Primary(settings.url()), clocks);
        new Schema(sessions).migrate(keyCheck(settings, sessions));
    }

    private static KeyCheck keyCheck(PostgresSettings settings, Sessions sessions) {
        return new KeyCheck(sessions, settings.encryption().ring(), settings.encryption().retired());
    }

    @Override
    public Claimed claim(Claim claim) {
        preparation.require();
        return claims.claim(claim);
    }

    @Override
    public Settled settle(EntryId id, long attempt, Transition transition) {
        preparation.require();
        return settlements.settle(id, attempt, transition);
    }

    @Override
    public boolean confirm(EntryId id, long attempt, State state) {
        preparation.require();
        return settlements.confirm(id, attempt, state);
    }

    @Override
    public boolean putBack(Entry claimed, Transition.Record recorded) {
        preparation.require();
        return settlements.putBack(claimed, recorded);
    }

    @Override
    public void noteLateResponse(EntryId id, long attempt, Transition.Record late) {
        preparation.require();
        settlements.noteLateResponse(id, attempt, late);
    }

    @Override
    public Settled erase(EntryId id, String reason, String by) {
        preparation.require();
        return settlements.erase(id, reason, by);
    }

    @Override
    public @Nullable Found find(EntryId id) {
        preparation.require();
        return reads.find(id);
    }

    @Override
    public List<Ended> look(Collection<Watched> attempts, long bytes) {
        preparation.require();
        return reads.look(attempts, bytes);
    }

    @Override
    public Page list(Query query) {
        preparation.require();
        return reads.list(query);
    }

    @Override
    public List<Event> history(EntryId id) {
        preparation.require();
        return reads.history(id);
    }

    @Override
    public DoubtGroups doubtGroups() {
        preparation.require();
        return reads.doubtGroups();
    }

    @Override
    public int sweep(int most) {
        preparation.require();
        return housekeeping.sweep(most);
    }

    @Override
    public Purged purge(int most, Duration keepFreed) {
        preparation.require();
        return housekeeping.purge(most, keepFreed);
    }

    @Override
    public Doubts doubts() {
        preparation.require();
        return reads.doubts();
    }

    @Override
    public Counts counts() {
        preparation.require();
        return reads.counts();
    }

    /// Answers within half a second, from what is known; looks again in the background.
    @Override
    public Health health() {
        return checkup.health();
    }

    /// Has those connections made too that no start waits for.
    public void fill() {
        database.fill();
        if (lanes != null) {
            lanes.fill();
        }
    }

    /// Its pools of connections, one or two.
    public List<Connections> connections() {
        return lanes == null ? List.of(database.connections()) : List.of(database.connections(), lanes.connections());
    }

    /// How many group commits may be under way at once; 0: there are none.
    public int lanesOpen() {
        return open == null ? 0 : open.open();
    }

    /// How many claims and records wait for the next group commit.
    public int queued() {
        return group == null ? 0 : group.queued();
    }

    /// Lets go of every connection.
    @Override
    public void close() {
        database.close();
        if (lanes != null) {
            lanes.close();
        }
    }
}

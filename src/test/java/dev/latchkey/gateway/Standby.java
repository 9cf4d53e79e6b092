package dev.latchkey.gateway;

import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The ledger in memory as PostgreSQL keeps it with a synchronous standby, and each write told to the [Chronicle].
///
/// While the standby is there a commit is acknowledged once it is replicated, so that nothing acknowledged is ever lost.
/// While it is away:
/// - a commit waits, nobody else sees it, and its client hears nothing in time;
/// - where waits are cut short (a session ended, a server started again), it is on the primary, for others to see, and not
///   acknowledged;
/// - a statement that changes nothing waits for nothing, and reads see what the primary has.
///
/// When the standby comes back, what waits is committed. At a failover the standby has what was acknowledged and, of the
/// rest, as much from its beginning as had reached it.
final class Standby implements Ledger {

    private final MemoryLedger memory;
    private final Chronicle chronicle;
    private final Stage stage;
    private final Random random;
    private final Scenario.Commits commits;
    private final boolean acknowledgesAlone;
    private final List<Runnable> waiting = new ArrayList<>();
    private final List<MemoryLedger.Contents> unreplicated = new ArrayList<>();
    private boolean away;
    private Duration awaySince = Duration.ZERO;

    /// @param missing [Guard#REPLICATED]: the primary acknowledges what only it has
    Standby(
            MemoryLedger memory, Chronicle chronicle, Stage stage, Random random, Scenario.Commits commits,
            Guard missing) {
        this.memory = memory;
        this.chronicle = chronicle;
        this.stage = stage;
        this.random = random;
        this.commits = commits;
        this.acknowledgesAlone = missing == Guard.REPLICATED;
    }

    /// From now on the standby is away.
    void leave() {
        away = true;
        awaySince = stage.passed();
        unreplicated.add(memory.contents());
    }

    /// It is there again, and has caught up.
    void comeBack() {
        away = false;
        unreplicated.clear();
        commit(waiting.size());
    }

    /// The primary is gone, and the standby is the ledger.
    void failOver() {
        away = false;
        memory.replace(unreplicated.get(random.nextInt(unreplicated.size())));
        unreplicated.clear();
        chronicle.undone(awaySince);
        commit(random.nextInt(waiting.size() + 1));
    }

    private void commit(int first) {
        List<Runnable> all = List.copyOf(waiting.subList(0, first));
        waiting.clear();
        all.forEach(Runnable::run);
    }

    private <T> T write(String operation, Supplier<T> work) {
        if (!away) {
            T result = work.get();
            chronicle.written(operation);
            return result;
        }
        MemoryLedger.Contents before = memory.contents();
        T result = work.get();
        MemoryLedger.Contents after = memory.contents();
        if (after.equals(before)) {
            return result;
        }
        if (acknowledgesAlone || (commits == Scenario.Commits.CUT_SHORT && random.nextBoolean())) {
            chronicle.written(operation);
            unreplicated.add(after);
            if (acknowledgesAlone) {
                return result;
            }
        } else {
            memory.replace(before);
            waiting.add(() -> {
                if (work.get() != null) {
                    chronicle.written(operation);
                }
            });
        }
        throw new LedgerUnavailable("nobody says whether it is replicated", true, null);
    }

    @Override
    public Claimed claim(Claim claim) {
        return write("claim", () -> memory.claim(claim));
    }

    @Override
    public Settled settle(EntryId id, long attempt, Transition transition) {
        return write(transition.getClass().getSimpleName(), () -> memory.settle(id, attempt, transition));
    }

    @Override
    public Settled erase(EntryId id, String reason, String by) {
        return write("erase", () -> memory.erase(id, reason, by));
    }

    /// A write, though it changes nothing.
    @Override
    public boolean confirm(EntryId id, long attempt, State state) {
        boolean mine = memory.confirm(id, attempt, state);
        if (mine && away && !acknowledgesAlone) {
            throw new LedgerUnavailable("nobody says whether it is replicated", true, null);
        }
        return mine;
    }

    @Override
    public boolean putBack(Entry claimed, Transition.Record recorded) {
        return write("put back", () -> memory.putBack(claimed, recorded));
    }

    @Override
    public void noteLateResponse(EntryId id, long attempt, Transition.Record late) {
        memory.noteLateResponse(id, attempt, late);
    }

    @Override
    public @Nullable Found find(EntryId id) {
        return memory.find(id);
    }

    @Override
    public List<Ended> look(Collection<Watched> attempts, long bytes) {
        return memory.look(attempts, bytes);
    }

    @Override
    public Page list(Query query) {
        return memory.list(query);
    }

    @Override
    public List<Event> history(EntryId id) {
        return memory.history(id);
    }

    @Override
    public int sweep(int most) {
        return write("sweep", () -> memory.sweep(most));
    }

    @Override
    public Purged purge(int most, Duration keepFreed) {
        return write("purge", () -> memory.purge(most, keepFreed));
    }

    @Override
    public Counts counts() {
        return memory.counts();
    }

    @Override
    public Doubts doubts() {
        return memory.doubts();
    }

    @Override
    public DoubtGroups doubtGroups() {
        return memory.doubtGroups();
    }

    @Override
    public Health health() {
        return memory.health();
    }
}

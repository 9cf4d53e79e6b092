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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A ledger between which and its callers things go wrong, as a test or a seed says. Threads may take turns before and
/// after each operation.
final class Faulty implements Ledger {

    private final Ledger ledger;
    private Trouble trouble = new Trouble() {};
    private final List<String> operations = new ArrayList<>();
    private @Nullable String problem;

    /// What goes wrong. Each may wait, and may throw [LedgerUnavailable].
    interface Trouble {
        /// Before anything is done.
        default void before(String operation) {}

        /// Before an answer is given for what is done.
        default void after(String operation) {}

        /// Before an answer is given to who has read.
        default void read(String operation) {}

        /// Whether a claim loses to an entry that is gone when it looks.
        default boolean loses() {
            return false;
        }

        /// Whether this write happens now; false: it throws, and the write may be done later.
        default boolean now(String operation, Runnable write) {
            return true;
        }
    }

    Faulty(Ledger ledger) {
        this.ledger = ledger;
    }

    void trouble(Trouble next) {
        trouble = next;
    }

    /// It says that it has this problem; null: none.
    void problem(@Nullable String what) {
        problem = what;
    }

    /// It is away: nothing is done, and that is known.
    void away() {
        trouble(new Trouble() {
            @Override
            public void before(String operation) {
                throw new LedgerUnavailable("away", false, null);
            }
        });
    }

    /// It is there again.
    void back() {
        trouble(new Trouble() {});
    }

    /// The next operation of that name is done, and its acknowledgement lost; then all is well.
    void loseAcknowledgement(String name) {
        trouble(new Trouble() {
            @Override
            public void after(String operation) {
                if (operation.equals(name)) {
                    back();
                    throw new LedgerUnavailable("acknowledgement lost", true, null);
                }
            }
        });
    }

    /// How many operations were asked for.
    int asked() {
        return operations.size();
    }

    private <T> T write(String operation, Supplier<T> work) {
        operations.add(operation);
        Stage.yieldTurn();
        trouble.before(operation);
        if (!trouble.now(operation, () -> discard(work))) {
            throw new LedgerUnavailable("nobody knows", true, null);
        }
        T result = work.get();
        trouble.after(operation);
        Stage.yieldTurn();
        return result;
    }

    /// Their names, in order.
    List<String> operations() {
        return operations;
    }

    private static <T> void discard(Supplier<T> work) {
        T nobodyHears = work.get();
        if (nobodyHears == null) {
            throw new IllegalStateException("a write answers");
        }
    }

    private <T extends @Nullable Object> T read(String operation, Supplier<T> work) {
        operations.add(operation);
        Stage.yieldTurn();
        trouble.before(operation);
        T result = work.get();
        trouble.read(operation);
        Stage.yieldTurn();
        return result;
    }

    @Override
    public Claimed claim(Claim claim) {
        return write("claim", () -> trouble.loses() ? new Claimed.Lost(null) : ledger.claim(claim));
    }

    @Override
    public Settled settle(EntryId id, long attempt, Transition transition) {
        return write("settle", () -> ledger.settle(id, attempt, transition));
    }

    @Override
    public Settled erase(EntryId id, String reason, String by) {
        return write("erase", () -> ledger.erase(id, reason, by));
    }

    @Override
    public boolean confirm(EntryId id, long attempt, State state) {
        return write("confirm", () -> ledger.confirm(id, attempt, state));
    }

    @Override
    public boolean putBack(Entry claimed, Transition.Record recorded) {
        return write("put back", () -> ledger.putBack(claimed, recorded));
    }

    @Override
    public void noteLateResponse(EntryId id, long attempt, Transition.Record late) {
        write("note", () -> {
            ledger.noteLateResponse(id, attempt, late);
            return true;
        });
    }

    @Override
    public @Nullable Found find(EntryId id) {
        return read("find", () -> ledger.find(id));
    }

    @Override
    public List<Ended> look(Collection<Watched> attempts, long bytes) {
        return read("look", () -> ledger.look(attempts, bytes));
    }

    @Override
    public Page list(Query query) {
        return read("list", () -> ledger.list(query));
    }

    @Override
    public List<Event> history(EntryId id) {
        return read("history", () -> ledger.history(id));
    }

    @Override
    public int sweep(int most) {
        return write("sweep", () -> ledger.sweep(most));
    }

    @Override
    public Purged purge(int most, Duration keepFreed) {
        return write("purge", () -> ledger.purge(most, keepFreed));
    }

    @Override
    public Counts counts() {
        return read("counts", ledger::counts);
    }

    @Override
    public Doubts doubts() {
        return read("doubts", ledger::doubts);
    }

    @Override
    public DoubtGroups doubtGroups() {
        return read("doubt-groups", ledger::doubtGroups);
    }

    @Override
    public Health health() {
        return problem == null ? ledger.health() : new Health(true, true, problem);
    }
}

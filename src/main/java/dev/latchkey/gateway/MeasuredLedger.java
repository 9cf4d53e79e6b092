package dev.latchkey.gateway;

import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.telemetry.Metrics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A ledger whose operations are counted and timed. Safe for any number of threads.
public final class MeasuredLedger implements Ledger {

    private final Ledger ledger;
    private final Metrics metrics;
    private final Clocks clocks;

    /// Measures this ledger.
    public MeasuredLedger(Ledger ledger, Metrics metrics, Clocks clocks) {
        this.ledger = ledger;
        this.metrics = metrics;
        this.clocks = clocks;
    }

    @Override
    public Claimed claim(Claim claim) {
        return measured("claim", () -> ledger.claim(claim), claimed -> claimed instanceof Claimed.Won ? "won" : "lost");
    }

    @Override
    public Settled settle(EntryId id, long attempt, Transition transition) {
        String operation = transition instanceof Transition.Record ? "record" : "settle";
        Settled come = measured(
                operation, () -> ledger.settle(id, attempt, transition),
                settled -> settled instanceof Settled.Applied ? "applied" : "lost");
        if (transition instanceof Transition.LeaseOver && come instanceof Settled.Applied) {
            metrics.leasesExpired(1);
        }
        return come;
    }

    @Override
    public boolean confirm(EntryId id, long attempt, State state) {
        return measured(
                "confirm", () -> ledger.confirm(id, attempt, state), confirmed -> confirmed ? "applied" : "lost");
    }

    @Override
    public boolean putBack(Entry claimed, Transition.Record recorded) {
        return measured("put-back", () -> ledger.putBack(claimed, recorded), put -> put ? "applied" : "lost");
    }

    @Override
    public void noteLateResponse(EntryId id, long attempt, Transition.Record late) {
        measured("note", () -> {
            ledger.noteLateResponse(id, attempt, late);
            return true;
        }, noted -> "applied");
    }

    @Override
    public Settled erase(EntryId id, String reason, String by) {
        return measured(
                "erase", () -> ledger.erase(id, reason, by),
                erased -> erased instanceof Settled.Applied ? "applied" : "lost");
    }

    @Override
    public @Nullable Found find(EntryId id) {
        long start = clocks.nanos();
        String result = "unavailable";
        try {
            Found found = ledger.find(id);
            result = found == null ? "none" : "found";
            return found;
        } finally {
            metrics.ledger("find", result, clocks.nanos() - start);
        }
    }

    @Override
    public List<Ended> look(Collection<Watched> attempts, long bytes) {
        return measured("look", () -> ledger.look(attempts, bytes), ended -> ended.isEmpty() ? "none" : "found");
    }

    @Override
    public Page list(Query query) {
        return measured("list", () -> ledger.list(query), page -> "found");
    }

    @Override
    public List<Event> history(EntryId id) {
        return measured("history", () -> ledger.history(id), events -> "found");
    }

    @Override
    public DoubtGroups doubtGroups() {
        return measured("doubt-groups", ledger::doubtGroups, groups -> "found");
    }

    @Override
    public int sweep(int most) {
        int over = measured("sweep", () -> ledger.sweep(most), swept -> "applied");
        metrics.leasesExpired(over);
        return over;
    }

    @Override
    public Purged purge(int most, Duration keepFreed) {
        return measured("purge", () -> ledger.purge(most, keepFreed), purged -> "applied");
    }

    @Override
    public Doubts doubts() {
        return measured("doubts", ledger::doubts, doubts -> "found");
    }

    @Override
    public Counts counts() {
        return measured("counts", ledger::counts, counts -> "found");
    }

    @Override
    public Health health() {
        return ledger.health();
    }

    private <T> T measured(String operation, Supplier<T> work, Function<T, String> name) {
        long start = clocks.nanos();
        String result = "unavailable";
        try {
            T done = work.get();
            result = name.apply(done);
            return done;
        } finally {
            metrics.ledger(operation, result, clocks.nanos() - start);
        }
    }
}

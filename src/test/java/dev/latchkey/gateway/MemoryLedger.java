package dev.latchkey.gateway;

import dev.latchkey.protocol.Cause;
import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Grounds;
import dev.latchkey.protocol.RecordedResponse;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A ledger in memory, for tests: what [Claim#applyTo] and [Transition#applyTo] say and no more. Time stands still until it
/// is advanced. It can be made to fail. Safe for any number of threads.
public final class MemoryLedger implements Ledger {

    private final Map<EntryId, Entry> entries = new HashMap<>();
    private final Map<EntryId, RecordedResponse> responses = new HashMap<>();
    private final Map<EntryId, List<Event>> events = new HashMap<>();
    private Instant now;
    private @Nullable LedgerUnavailable failure;
    private @Nullable EntryId unreadable;

    public MemoryLedger(Instant start) {
        this.now = start.truncatedTo(ChronoUnit.MICROS);
    }

    /// Moves the ledger's clock.
    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    /// The ledger's clock.
    public synchronized Instant now() {
        return now;
    }

    /// From now on everything fails so; null: no more.
    public synchronized void failWith(@Nullable LedgerUnavailable next) {
        failure = next;
    }

    /// From now on a look that would bring this entry fails.
    synchronized void breakLooksAt(EntryId id) {
        unreadable = id;
    }

    /// Makes one entry older, with its response, and nothing else.
    public synchronized void age(EntryId id, Duration by) {
        entries.computeIfPresent(id, (same, entry) -> older(entry, by));
        responses.computeIfPresent(
                id, (same, it) -> new RecordedResponse(it.headers(), it.body(), minus(it.expiresAt(), by)));
    }

    private static Entry older(Entry e, Duration by) {
        return new Entry(
                e.id(), e.client(), e.key(), e.route(), e.method(), e.target(), e.fingerprint(), e.correction(),
                e.sentAs(),
                e.state(), e.attempt(), e.attempts(), e.claimedAt().minus(by), e.firstForwardAt().minus(by),
                e.leaseUntil().minus(by), minus(e.inDoubtSince(), by), e.cause(), minus(e.recordedAt(), by),
                minus(e.expiresAt(), by), e.status(), e.rejection(), e.settledBy(), e.erased(),
                e.releasedOnExpiry());
    }

    private static @Nullable Instant minus(@Nullable Instant time, Duration by) {
        return time == null ? null : time.minus(by);
    }

    /// All that it holds.
    record Contents(
            Map<EntryId, Entry> entries, Map<EntryId, RecordedResponse> responses, Map<EntryId, List<Event>> events) {}

    synchronized Contents contents() {
        Map<EntryId, List<Event>> history = new HashMap<>();
        events.forEach((id, all) -> history.put(id, List.copyOf(all)));
        return new Contents(Map.copyOf(entries), Map.copyOf(responses), history);
    }

    /// From now on it holds this.
    synchronized void replace(Contents contents) {
        entries.clear();
        entries.putAll(contents.entries());
        responses.clear();
        responses.putAll(contents.responses());
        events.clear();
        contents.events().forEach((id, all) -> events.put(id, new ArrayList<>(all)));
    }

    private void mayFail() {
        if (failure != null) {
            throw new LedgerUnavailable("made to fail", failure.commitUnknown(), failure);
        }
    }

    @Override
    public synchronized Claimed claim(Claim claim) {
        mayFail();
        EntryId id = claim.ask().id();
        Entry before = entries.get(id);
        Optional<Entry> after = claim.applyTo(before, now);
        if (after.isEmpty()) {
            return new Claimed.Lost(find(id));
        }
        entries.put(id, after.get());
        if (claim.grounds() instanceof Grounds.NewGeneration && before != null) {
            responses.remove(id);
            if (before.state() == State.RECORDED && before.rejection()
                    && !before.fingerprint().equals(after.get().fingerprint())) {
                note(after.get(), "correction", claim.attempt(), null, null, before.status());
            }
        } else if (claim.grounds() instanceof Grounds.Reforward) {
            note(after.get(), "re-forward", claim.attempt(), text(after.get().cause()), null, null);
        }
        return new Claimed.Won(after.get());
    }

    @Override
    public synchronized Settled settle(EntryId id, long attempt, Transition transition) {
        mayFail();
        Entry before = entries.get(id);
        Optional<Entry> after = before == null ? Optional.empty() : transition.applyTo(before, attempt, now);
        if (before == null || after.isEmpty()) {
            return new Settled.Lost(find(id));
        }
        Entry entry = after.get();
        entries.put(id, entry);
        switch (transition) {
            case Transition.Record it -> {
                keep(entry, new RecordedResponse(
                        it.headers(), it.body(), plus(it.retention().responseKept(entry.rejection()))));
                if (entry.cause() != null) {
                    note(entry, "settled", attempt, "response", null, entry.status());
                }
            }
            case Transition.Release it -> {
                if (entry.inDoubtSince() != null) {
                    note(entry, "settled", attempt, it.cause().name(), null, null);
                }
            }
            case Transition.Doubt it -> note(entry, "in-doubt", attempt, it.cause().name(), null, it.status());
            case Transition.LeaseOver _ -> {
                if (entry.state() == State.IN_DOUBT) {
                    note(entry, "in-doubt", attempt, Cause.LEASE_OVER.name(), null, null);
                }
            }
            case Transition.Result it -> {
                keep(entry, new RecordedResponse(it.headers(), it.body(), plus(it.retention().responseKept(false))));
                if (entry.cause() != null) {
                    note(entry, "settled", attempt, "response", null, entry.status());
                }
            }
            case Transition.Renew _ -> {
                // Nothing that anybody would look for in the history.
            }
            case Transition.Executed it -> {
                keep(entry, new RecordedResponse(it.headers(), it.body(), plus(it.retention().responseKept(false))));
                note(entry, "settled", attempt, it.reason(), it.by(), it.status());
            }
            case Transition.NotExecuted it -> note(entry, "settled", attempt, it.reason(), it.by(), null);
        }
        return new Settled.Applied(new Found(
                entry, entry.state() == State.RECORDED ? responses.get(id) : null, now));
    }

    private void keep(Entry entry, RecordedResponse response) {
        if (!entry.erased()) {
            responses.put(entry.id(), response);
        }
    }

    private @Nullable Instant plus(@Nullable Duration kept) {
        return kept == null ? null : now.plus(kept);
    }

    private void note(
            Entry entry, String kind, long attempt, @Nullable String cause, @Nullable String by,
            @Nullable Integer status) {
        events.computeIfAbsent(entry.id(), id -> new ArrayList<>())
                .add(new Event(now, kind, attempt, cause, by, status));
    }

    private static @Nullable String text(@Nullable Cause cause) {
        return cause == null ? null : cause.name();
    }

    @Override
    public synchronized boolean confirm(EntryId id, long attempt, State state) {
        mayFail();
        Entry entry = entries.get(id);
        return entry != null && entry.attempt() == attempt && entry.state() == state;
    }

    @Override
    public synchronized boolean putBack(Entry claimed, Transition.Record recorded) {
        mayFail();
        boolean erased = history(claimed.id()).stream().anyMatch(event -> event.kind().equals("erased"));
        if (!recorded.succeeded() || entries.containsKey(claimed.id()) || erased) {
            return false;
        }
        Entry entry = recorded.applyTo(claimed, claimed.attempt(), now).orElseThrow();
        entries.put(claimed.id(), entry);
        keep(entry, new RecordedResponse(
                recorded.headers(), recorded.body(), plus(recorded.retention().responseKept(false))));
        note(entry, "put-back", claimed.attempt(), "response", null, recorded.status());
        return true;
    }

    @Override
    public synchronized void noteLateResponse(EntryId id, long attempt, Transition.Record late) {
        mayFail();
        events.computeIfAbsent(id, same -> new ArrayList<>())
                .add(new Event(now, "late-response", attempt, null, null, late.status()));
    }

    @Override
    public synchronized Settled erase(EntryId id, String reason, String by) {
        mayFail();
        Entry before = entries.get(id);
        if (before == null || before.state() == State.CLAIMED || before.state() == State.IN_DOUBT) {
            return new Settled.Lost(find(id));
        }
        Entry entry = before.blanked();
        entries.put(id, entry);
        responses.remove(id);
        events.getOrDefault(id, new ArrayList<>()).replaceAll(e -> e.by() == null
                ? e
                : new Event(e.at(), e.kind(), e.attempt(), null, e.by(), e.status()));
        note(entry, "erased", entry.attempt(), reason, by, null);
        return new Settled.Applied(new Found(entry, null, now));
    }

    @Override
    public synchronized @Nullable Found find(EntryId id) {
        mayFail();
        Entry entry = entries.get(id);
        return entry == null ? null : new Found(entry, responses.get(id), now);
    }

    @Override
    public synchronized List<Ended> look(Collection<Watched> attempts, long bytes) {
        mayFail();
        List<Ended> ended = new ArrayList<>();
        long brought = 0;
        for (Watched watched : attempts) {
            Found found = find(watched.id());
            boolean goesOn = found != null && found.entry().attempt() == watched.attempt()
                    && found.entry().state() == State.CLAIMED && !found.entry().leaseOver(now);
            if (!goesOn && watched.id().equals(unreadable)) {
                throw new IllegalStateException("cannot be read");
            }
            if (!goesOn && (ended.isEmpty() || brought < bytes)) {
                ended.add(new Ended(watched, found));
                brought += found == null ? 0 : bodyOf(found);
            }
        }
        return ended;
    }

    private static int bodyOf(Found found) {
        RecordedResponse response = found.response();
        return response == null || response.body() == null ? 0 : response.body().length();
    }

    @Override
    public synchronized Page list(Query query) {
        mayFail();
        List<Entry> all = entries.values().stream()
                .filter(wanted(query))
                .sorted(Comparator.comparing(Entry::claimedAt).thenComparing(e -> e.id().toString()).reversed())
                .toList();
        int from = query.after() == null ? 0 : 1 + position(all, query.after());
        List<Entry> page = all.subList(from, Math.min(all.size(), from + query.limit()));
        boolean more = from + page.size() < all.size();
        return new Page(List.copyOf(page), more ? page.getLast().id().toString() : null, now);
    }

    private static int position(List<Entry> all, String after) {
        return all.stream().map(e -> e.id().toString()).toList().indexOf(after);
    }

    private static Predicate<Entry> wanted(Query query) {
        Instant since = query.since();
        return e -> (query.state() == null || query.state() == e.state())
                && (query.client() == null || query.client().equals(e.client()))
                && (query.route() == null || query.route().equals(e.route()))
                && (query.key() == null || query.key().equals(e.key()))
                && (since == null || !e.claimedAt().isBefore(since));
    }

    @Override
    public synchronized List<Event> history(EntryId id) {
        mayFail();
        return List.copyOf(events.getOrDefault(id, List.of()));
    }

    @Override
    public synchronized int sweep(int most) {
        mayFail();
        List<Entry> due = entries.values().stream().filter(e -> e.leaseOver(now)).limit(most).toList();
        due.forEach(e -> settle(e.id(), e.attempt(), new Transition.LeaseOver()));
        return due.size();
    }

    @Override
    public synchronized Purged purge(int most, Duration keepFreed) {
        mayFail();
        Set<EntryId> old = new HashSet<>();
        responses.forEach((id, response) -> {
            if (response.expiresAt() != null && !response.expiresAt().isAfter(now)) {
                old.add(id);
            }
        });
        old.forEach(responses::remove);
        List<Entry> gone = entries.values().stream().filter(e -> isPurged(e, keepFreed)).limit(most).toList();
        gone.forEach(e -> {
            entries.remove(e.id());
            responses.remove(e.id());
        });
        return new Purged(old.size() + gone.size(), gone.size() == most, Duration.ZERO, false);
    }

    private boolean isPurged(Entry e, Duration keepFreed) {
        return switch (e.state()) {
            case CLAIMED, IN_DOUBT -> false;
            case RECORDED -> e.pastRetention(e.rejection() ? now.minus(keepFreed) : now);
            case RELEASED -> !e.leaseUntil().plus(keepFreed).isAfter(now);
        };
    }

    @Override
    public synchronized Doubts doubts() {
        mayFail();
        List<Instant> since = entries.values().stream()
                .filter(e -> e.state() == State.IN_DOUBT)
                .map(e -> Objects.requireNonNull(e.inDoubtSince()))
                .sorted()
                .toList();
        return new Doubts(since.size(), since.isEmpty() ? null : Duration.between(since.getFirst(), now));
    }

    @Override
    public synchronized Counts counts() {
        mayFail();
        return new Counts(count(State.CLAIMED), count(State.RELEASED), count(State.RECORDED));
    }

    private long count(State state) {
        return entries.values().stream().filter(e -> e.state() == state).count();
    }

    @Override
    public synchronized DoubtGroups doubtGroups() {
        mayFail();
        Map<List<String>, List<Instant>> since = new HashMap<>();
        for (Entry e : entries.values()) {
            if (e.state() == State.IN_DOUBT) {
                since.computeIfAbsent(
                        List.of(String.valueOf(text(e.cause())), e.route(), e.client()), same -> new ArrayList<>())
                        .add(Objects.requireNonNull(e.inDoubtSince()));
            }
        }
        List<DoubtGroup> groups = new ArrayList<>();
        since.forEach((by, times) -> groups.add(new DoubtGroup(
                by.get(0), by.get(1), by.get(2), times.size(), Collections.min(times), Collections.max(times))));
        groups.sort(Comparator.comparingLong(DoubtGroup::count).reversed());
        return new DoubtGroups(List.copyOf(groups), now);
    }

    @Override
    public synchronized Health health() {
        return new Health(failure == null, true, failure == null ? null : "made to fail");
    }
}

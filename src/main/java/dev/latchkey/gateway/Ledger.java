package dev.latchkey.gateway;

import dev.latchkey.protocol.Claim;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The memory of what was forwarded. Each write is one transaction, a compare-and-set, and durable before it returns. Time
/// is the ledger's. Safe for any number of threads; blocks its caller.
///
/// Every method throws [LedgerUnavailable] when the ledger cannot be reached in time.
public interface Ledger {

    /// Tries to win the right to forward.
    Claimed claim(Claim claim);

    /// What a claim came to.
    sealed interface Claimed {
        /// The claim is committed; nobody else has it.
        record Won(Entry entry) implements Claimed {}

        /// Another was first, or what the claim built on has changed.
        ///
        /// @param found what the ledger holds now; null: the entry is gone meanwhile
        record Lost(@Nullable Found found) implements Claimed {}
    }

    /// Carries out a transition, and deletes, with a new response, the one that it replaces (G21).
    ///
    /// @param attempt the attempt that the transition speaks for
    Settled settle(EntryId id, long attempt, Transition transition);

    /// What a transition came to.
    sealed interface Settled {
        /// Committed.
        ///
        /// @param now the entry after it
        record Applied(Found now) implements Settled {}

        /// Its conditions did not hold; nothing was changed.
        ///
        /// @param found what the ledger holds instead; null: no entry
        record Lost(@Nullable Found found) implements Settled {}
    }

    /// Makes sure, by a durable write that changes nothing, that the entry is this attempt's and in this state (G7).
    boolean confirm(EntryId id, long attempt, State state);

    /// Puts a recorded entry back whose row was purged while its genuine response was on its way (G18).
    ///
    /// @param claimed the entry as its attempt claimed it
    /// @return whether it was put back; false: the key has an entry again
    boolean putBack(Entry claimed, Transition.Record recorded);

    /// Keeps a response that came too late to change anything, in the entry's history (G18).
    void noteLateResponse(EntryId id, long attempt, Transition.Record late);

    /// Blanks what an entry says of people: key, target, response, and in its history the responses and the reasons that
    /// operators gave; who and when stay. The entry stays, so that its key is not free (G15), and is found by its id
    /// alone. Loses while it is claimed or in doubt.
    ///
    /// @param reason for the history
    /// @param by who, for the history
    Settled erase(EntryId id, String reason, String by);

    /// Reads one entry and its response.
    @Nullable
    Found find(EntryId id);

    /// Sees, in one query, which of these attempts are over, and brings what the ledger holds instead.
    ///
    /// @param bytes so many, about, are brought at once, and one entry at least: what is over besides is left for the next
    ///     look
    /// @return nothing of attempts that go on
    List<Ended> look(Collection<Watched> attempts, long bytes);

    /// An attempt that somebody waits for.
    record Watched(EntryId id, long attempt) {}

    /// An attempt that is over: its entry is in another state or another attempt's, or its lease is over.
    ///
    /// @param found what the ledger holds now; null: no entry
    record Ended(Watched watched, @Nullable Found found) {}

    /// Lists entries, newest claim first.
    Page list(Query query);

    /// Which entries. Null: any.
    ///
    /// @param since claimed at or after
    /// @param limit at most so many
    /// @param after the `next` of the page before
    record Query(
            @Nullable State state, @Nullable String client, @Nullable String route, @Nullable String key,
            @Nullable Instant since, int limit, @Nullable String after) {}

    /// One page of a list.
    ///
    /// @param next names the following page; null: this is the last
    /// @param now the ledger's clock
    record Page(List<Entry> entries, @Nullable String next, Instant now) {}

    /// An entry's history, oldest first: its exceptional transitions.
    List<Event> history(EntryId id);

    /// One line of history.
    ///
    /// @param kind such as `in-doubt`, `re-forward`, `correction`, `late-response`, `settled`, `erased`
    /// @param cause or reason; null: none
    /// @param by who, for a verdict or an erasure; null: the gateway
    /// @param status of the response that belongs to it; null: none
    record Event(
            Instant at, String kind, long attempt, @Nullable String cause, @Nullable String by,
            @Nullable Integer status) {}

    /// Counts the entries in doubt by why they are, most first.
    DoubtGroups doubtGroups();

    /// Entries in doubt that have the same cause, route and client.
    ///
    /// @param oldest since when the oldest of them is in doubt
    /// @param newest since when the newest is
    record DoubtGroup(String cause, String route, String client, long count, Instant oldest, Instant newest) {}

    /// All of them.
    ///
    /// @param now the ledger's clock
    record DoubtGroups(List<DoubtGroup> groups, Instant now) {}

    /// Puts claims whose lease is over in doubt, a bounded number at once.
    ///
    /// @return how many
    int sweep(int most);

    /// Deletes responses and entries past their retention, a bounded number of each at once. Released entries and expired
    /// rejections stay for `keepFreed`, for they hold the correction number (G19). Never a claimed or doubtful entry.
    Purged purge(int most, Duration keepFreed);

    /// What a purge did.
    ///
    /// @param rows deleted, entries and responses
    /// @param more whether there may be more of a kind, past its retention
    /// @param behind how long the oldest of them was past it; zero: nothing was
    /// @param callsUnderWay whether calls are under way, here or elsewhere
    record Purged(int rows, boolean more, Duration behind, boolean callsUnderWay) {}

    /// How many entries are in doubt and how old the oldest is.
    Doubts doubts();

    /// The entries that wait for somebody to find out.
    ///
    /// @param count entries in doubt
    /// @param oldest age of the oldest; null: none
    record Doubts(long count, @Nullable Duration oldest) {}

    /// How many entries there are, at a cost that does not grow with them.
    Counts counts();

    /// Entries by state but those in doubt, which [#doubts] counts.
    ///
    /// @param claimed counted to a hundred thousand
    /// @param released counted to a hundred thousand
    /// @param recorded estimated where there are many
    record Counts(long claimed, long released, long recorded) {}

    /// Whether the ledger answers, and its schema is the one this program needs.
    Health health();

    /// How the ledger is.
    ///
    /// @param reachable it answers; it may have a problem nevertheless, as when its commits wait for a standby
    /// @param problem what is wrong, for people; null: nothing
    /// @param schemaFits it has the schema that this program needs, as far as is known
    record Health(boolean reachable, boolean schemaFits, @Nullable String problem) {}
}

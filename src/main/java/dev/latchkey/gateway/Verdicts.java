package dev.latchkey.gateway;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.Found;
import dev.latchkey.protocol.Protocol;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.protocol.Verdict;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Carries out operators' verdicts, one by one or by filter (contract §11). Each is a compare-and-set of its own, so that a
/// round which is cut short has settled what it says and nothing else. Safe for any number of threads; blocks its caller.
public final class Verdicts {

    private static final Log LOG = Log.of(Verdicts.class);
    private static final int PAGE = 500;

    /// Half of the ledger's usual connections: calls go on meanwhile.
    private static final int AT_ONCE = 4;

    /// Within what a connection may be silent, and what a person waits for.
    private static final Duration LONGEST_ROUND = Duration.ofSeconds(55);

    private final Ledger ledger;
    private final Map<String, Route> routes;
    private final Duration settleDelay;
    private final Clocks clocks;
    private final LongSupplier random;
    private final ReplayCache cache;

    /// @param routes by name; entries of others are settled as if they were kept as usual
    /// @param settleDelay after the lease's end, before *not executed* is believed
    /// @param random attempt ids
    /// @param cache forgets what is erased
    public Verdicts(
            Ledger ledger, Map<String, Route> routes, Duration settleDelay, Clocks clocks, LongSupplier random,
            ReplayCache cache) {
        this.ledger = ledger;
        this.routes = Map.copyOf(routes);
        this.settleDelay = settleDelay;
        this.clocks = clocks;
        this.random = random;
        this.cache = cache;
    }

    /// What came of one verdict.
    public sealed interface Outcome {
        /// Settled, and committed.
        ///
        /// @param now the entry after it
        record Settled(Found now) implements Outcome {}

        /// Nothing was changed.
        record Refused(Refusal refusal) implements Outcome {}
    }

    /// Which entries in doubt. Null: any.
    public record Filter(@Nullable String route, @Nullable String client, @Nullable String cause) {

        private boolean takes(String itsRoute, String itsClient, @Nullable String itsCause) {
            return (route == null || route.equals(itsRoute)) && (client == null || client.equals(itsClient))
                    && (cause == null || cause.equals(itsCause));
        }

        private boolean takes(Entry entry) {
            return takes(entry.route(), entry.client(), entry.cause() == null ? null : entry.cause().name());
        }
    }

    /// What a filter finds.
    ///
    /// @param asOf the ledger's clock before it was looked at
    public record Count(long count, Instant asOf) {}

    /// What came of a verdict on many.
    ///
    /// @param settled how many were settled
    /// @param refused how many were not, by why
    /// @param complete whether every entry was tried; false: time was up, or the ledger away; say it again
    public record Tally(long settled, Map<Problem, Long> refused, boolean complete) {}

    /// Settles one entry.
    public Outcome settle(EntryId id, Verdict verdict) {
        Instant here = clocks.now();
        Found found = ledger.find(id);
        if (found != null && found.entry().leaseOver(found.now())) {
            found = switch (ledger.settle(id, found.entry().attempt(), new Transition.LeaseOver())) {
                case Ledger.Settled.Applied applied -> applied.now();
                case Ledger.Settled.Lost lost -> lost.found();
            };
        }
        return found == null ? noSuchEntry() : settle(found, verdict, here);
    }

    private Outcome settle(Found found, Verdict verdict, Instant here) {
        return switch (rule(found, verdict, here)) {
            case Verdict.Ruling.Refuse refuse -> new Outcome.Refused(refuse.refusal());
            case Verdict.Ruling.Settle settle -> carryOut(found.entry().id(), settle, verdict, here);
        };
    }

    private Outcome carryOut(EntryId id, Verdict.Ruling.Settle settle, Verdict verdict, Instant here) {
        return switch (ledger.settle(id, settle.attempt(), settle.transition())) {
            case Ledger.Settled.Applied applied -> {
                LOG.info(
                        LogEvent.SETTLED, "entry", id, "state", applied.now().entry().state().wireName(), "by",
                        verdict.by());
                yield new Outcome.Settled(applied.now());
            }
            case Ledger.Settled.Lost(Found now) -> now == null ? noSuchEntry() : lost(now, verdict, here);
        };
    }

    /// Whatever the ledger holds now, it is not what the operator spoke of.
    private Outcome lost(Found now, Verdict verdict, Instant here) {
        return new Outcome.Refused(
                rule(now, verdict, here) instanceof Verdict.Ruling.Refuse refuse
                        ? refuse.refusal()
                        : Refusal.of(Problem.NOT_IN_DOUBT,
                                "The entry was forwarded again meanwhile and is in doubt anew. Read it again."));
    }

    /// @param here this replica's wall clock before the ledger was asked
    private Verdict.Ruling rule(Found found, Verdict verdict, Instant here) {
        return Protocol.onVerdict(
                found, verdict, random.getAsLong(), routes.get(found.entry().route()), settleDelay, here);
    }

    private static Outcome noSuchEntry() {
        return new Outcome.Refused(Refusal.of(Problem.NO_SUCH_ENTRY, "There is no such entry. Look at the entry id."));
    }

    /// Erases one entry (contract §12). This replica's memory forgets it at once, another's within a minute.
    ///
    /// @param reason for the history
    /// @param by who, for the history
    public Outcome erase(EntryId id, String reason, String by) {
        return switch (ledger.erase(id, reason, by)) {
            case Ledger.Settled.Applied(Found now) -> {
                cache.forget(id);
                LOG.info(LogEvent.ERASED, "entry", id, "by", by);
                yield new Outcome.Settled(now);
            }
            case Ledger.Settled.Lost(Found now) -> now == null
                    ? noSuchEntry()
                    : new Outcome.Refused(Refusal.stillClaimed(now.entry()));
        };
    }

    /// Counts what [#settleAll] would try.
    public Count count(Filter filter) {
        Ledger.DoubtGroups all = ledger.doubtGroups();
        long count = all.groups().stream()
                .filter(group -> filter.takes(group.route(), group.client(), group.cause()))
                .mapToLong(Ledger.DoubtGroup::count)
                .sum();
        return new Count(count, all.now());
    }

    /// Settles every entry in doubt that the filter takes, newest first, a bounded number at once and for a bounded time.
    public Tally settleAll(Filter filter, Verdict verdict) {
        long start = clocks.nanos();
        long settled = 0;
        Map<Problem, Long> refused = new EnumMap<>(Problem.class);
        String after = null;
        try (ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            do {
                Instant here = clocks.now();
                Ledger.Page page = ledger.list(
                        new Ledger.Query(State.IN_DOUBT, filter.client(), filter.route(), null, null, PAGE, after));
                for (Optional<Problem> why : settleAll(page, filter, verdict, here, workers)) {
                    settled += why.isEmpty() ? 1 : 0;
                    why.ifPresent(problem -> refused.merge(problem, 1L, Long::sum));
                }
                after = page.next();
            } while (after != null && !refused.containsKey(Problem.LEDGER_UNAVAILABLE)
                    && clocks.nanos() - start < LONGEST_ROUND.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Tally(settled, refused, false);
        }
        return new Tally(settled, refused, after == null && !refused.containsKey(Problem.LEDGER_UNAVAILABLE));
    }

    private List<Optional<Problem>> settleAll(
            Ledger.Page page, Filter filter, Verdict verdict, Instant here, ExecutorService workers)
            throws InterruptedException {
        List<Callable<Optional<Problem>>> work = new ArrayList<>();
        for (Entry entry : page.entries()) {
            if (filter.takes(entry)) {
                work.add(() -> refusal(new Found(entry, null, page.now()), verdict, here));
            }
        }
        List<Optional<Problem>> results = new ArrayList<>();
        for (Future<Optional<Problem>> each : workers.invokeAll(work)) {
            try {
                results.add(each.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("a verdict failed", e.getCause());
            }
        }
        return results;
    }

    private Optional<Problem> refusal(Found found, Verdict verdict, Instant here) {
        try {
            return settle(found, verdict, here) instanceof Outcome.Refused(Refusal refusal)
                    ? Optional.of(refusal.problem())
                    : Optional.empty();
        } catch (LedgerUnavailable _) {
            return Optional.of(Problem.LEDGER_UNAVAILABLE);
        }
    }
}

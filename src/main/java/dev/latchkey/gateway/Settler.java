package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Outcome;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Transition;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Asks downstreams what became of keys in doubt, and settles what they say for certain (contract §11). Bounded: a few
/// questions at once, and ever more seldom for an entry that stays in doubt. One thread runs its rounds.
public final class Settler implements Upkeep.Task {

    private static final Log LOG = Log.of(Settler.class);
    private static final int PAGE = 500;
    private static final int AT_ONCE = 8;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
    private static final String SETTLER = "lookup";

    private final Ledger ledger;
    private final List<Route> routes;
    private final Duration settleDelay;
    private final Clocks clocks;
    private final LongSupplier random;
    private final Map<Long, Watched> watched = new HashMap<>();

    /// A route that has a lookup.
    ///
    /// @param plan how it is carried out
    /// @param lookup how to ask
    public record Route(RoutePlan plan, Lookup lookup) {}

    /// An attempt in doubt, as this settler knows it by its own clock.
    private static final class Watched {
        private final long since;
        private long due;
        private Duration pause = FIRST_PAUSE;
        private boolean seen;

        private Watched(long now) {
            this.since = now;
            this.due = now;
        }
    }

    /// Settles these routes' entries.
    ///
    /// @param settleDelay after the lease's end, before *not executed* is believed
    /// @param random attempt ids of its own, and jitter
    public Settler(
            Ledger ledger, List<Route> routes, Duration settleDelay, Clocks clocks, LongSupplier random) {
        this.ledger = ledger;
        this.routes = List.copyOf(routes);
        this.settleDelay = settleDelay;
        this.clocks = clocks;
        this.random = random;
    }

    @Override
    public LogEvent event() {
        return LogEvent.SETTLED;
    }

    @Override
    public int runOnce() {
        watched.values().forEach(each -> each.seen = false);
        int settled = 0;
        for (Route route : routes) {
            String after = null;
            do {
                Ledger.Page page = ledger.list(new Ledger.Query(
                        State.IN_DOUBT, null, route.plan().policy().name(), null, null, PAGE, after));
                settled += ask(route, page);
                after = page.next();
            } while (after != null);
        }
        watched.values().removeIf(each -> !each.seen);
        return settled;
    }

    private int ask(Route route, Ledger.Page page) {
        List<Entry> due = new ArrayList<>();
        for (Entry entry : page.entries()) {
            Watched known = watched.computeIfAbsent(entry.attempt(), attempt -> new Watched(clocks.nanos()));
            known.seen = true;
            if (isDue(route, entry, known, page.now())) {
                due.add(entry);
            }
        }
        Semaphore places = new Semaphore(AT_ONCE);
        int[] settled = new int[due.size()];
        try (ExecutorService lookups = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < settled.length; i++) {
                int at = i;
                Entry entry = due.get(i);
                Watched known = watched.get(entry.attempt());
                if (known != null) {
                    lookups.execute(() -> {
                        places.acquireUninterruptibly();
                        try {
                            settled[at] = settle(route, entry, known, page.now()) ? 1 : 0;
                        } finally {
                            places.release();
                        }
                    });
                }
            }
        }
        int sum = 0;
        for (int each : settled) {
            sum += each;
        }
        return sum;
    }

    private boolean isDue(Route route, Entry entry, Watched known, Instant now) {
        boolean sentSo = entry.sentAs().equals(route.plan().policy().sentAs());
        boolean late = !entry.leaseUntil().plus(route.lookup().after()).isAfter(now);
        return sentSo && late && !entry.erased() && clocks.nanos() - known.due >= 0;
    }

    /// Asks about one entry, and settles what is said for certain.
    ///
    /// @param asOf the ledger's time before the look began
    private boolean settle(Route route, Entry entry, Watched known, Instant asOf) {
        boolean settled = false;
        try {
            Transition transition = told(route, entry, known, asOf);
            settled = transition != null
                    && ledger.settle(entry.id(), entry.attempt(), transition) instanceof Ledger.Settled.Applied;
        } catch (LedgerUnavailable e) {
            // The next look tells anew.
        } catch (RuntimeException e) {
            // One entry that breaks must not end the round for the others.
            LOG.failure(LogEvent.UPKEEP_FAILED, e, "entry", entry.id());
        }
        if (!settled) {
            again(known);
        }
        return settled;
    }

    private @Nullable Transition told(Route route, Entry entry, Watched known, Instant asOf) {
        // Before the look, which may take long: it tells of no later time.
        Duration watchedFor = Duration.ofNanos(clocks.nanos() - known.since);
        return switch (route.lookup().read(look(route, entry))) {
            case Lookup.Meaning.Executed it -> new Transition.Executed(
                    random.getAsLong(), it.status(), it.headers(), it.body(), SETTLER, "the downstream says: executed",
                    route.plan().policy().retention());
            case Lookup.Meaning.NotExecuted it -> notExecuted(route, watchedFor, asOf);
            case Lookup.Meaning.Nothing it -> {
                LOG.info(LogEvent.LOOKUP_UNCLEAR, "entry", entry.id(), "route", entry.route(), "why", it.why());
                yield null;
            }
        };
    }

    /// Not before this settler has itself seen the attempt in doubt for the delay: the ledger's clock may have jumped (G5).
    private @Nullable Transition notExecuted(Route route, Duration watchedFor, Instant asOf) {
        if (watchedFor.compareTo(settleDelay) < 0) {
            return null;
        }
        dev.latchkey.protocol.Route policy = route.plan().policy();
        return new Transition.NotExecuted(
                asOf, settleDelay, policy.deduplicates(), policy.timeout(), SETTLER,
                "the downstream says: not executed");
    }

    private Outcome look(Route route, Entry entry) {
        String target = route.lookup().target(route.plan().key().keyOf(entry), entry.key());
        int mark = target.indexOf('?');
        Forward get = new Forward(
                "GET", mark < 0 ? target : target.substring(0, mark), mark < 0 ? null : target.substring(mark + 1),
                route.plan().ownHeaders().get().plus("Accept", "application/json"), Body.empty(), false);
        Duration timeout = route.plan().policy().timeout();
        return route.plan().downstream().send(get, SendWindow.from(clocks, timeout), timeout, new Downstream.Unread());
    }

    /// Ever more seldom, and not all at once: half of each pause is by chance.
    private void again(Watched known) {
        long half = known.pause.toNanos() / 2;
        known.due = clocks.nanos() + half + Math.floorMod(random.getAsLong(), half + 1);
        Duration twice = known.pause.multipliedBy(2);
        known.pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }
}

package dev.latchkey;

import dev.latchkey.cli.RunningGateway;
import dev.latchkey.cli.Version;
import dev.latchkey.config.DurationText;
import dev.latchkey.config.LedgerPlace;
import dev.latchkey.config.Listen;
import dev.latchkey.config.RouteSettings;
import dev.latchkey.config.Settings;
import dev.latchkey.downstream.Watchdog;
import dev.latchkey.gateway.ByteBudget;
import dev.latchkey.gateway.Clocks;
import dev.latchkey.gateway.Door;
import dev.latchkey.gateway.Forwarding;
import dev.latchkey.gateway.HeldClaims;
import dev.latchkey.gateway.IdempotentCall;
import dev.latchkey.gateway.Ledger;
import dev.latchkey.gateway.Lookup;
import dev.latchkey.gateway.MeasuredLedger;
import dev.latchkey.gateway.Places;
import dev.latchkey.gateway.PlainCall;
import dev.latchkey.gateway.Poller;
import dev.latchkey.gateway.Purger;
import dev.latchkey.gateway.ReplayCache;
import dev.latchkey.gateway.RoutePlan;
import dev.latchkey.gateway.Settler;
import dev.latchkey.gateway.Sweeper;
import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.gateway.Upkeep;
import dev.latchkey.gateway.Verdicts;
import dev.latchkey.gateway.Waiters;
import dev.latchkey.postgres.LedgerServer;
import dev.latchkey.postgres.PostgresLedger;
import dev.latchkey.protocol.Entry;
import dev.latchkey.protocol.Route;
import dev.latchkey.server.BatchLimits;
import dev.latchkey.server.CallerPace;
import dev.latchkey.server.ClaimPages;
import dev.latchkey.server.Clients;
import dev.latchkey.server.Drain;
import dev.latchkey.server.EntryPages;
import dev.latchkey.server.GatewayServer;
import dev.latchkey.server.GatewaySettings;
import dev.latchkey.server.ManagementServer;
import dev.latchkey.server.OperatorPages;
import dev.latchkey.server.OwnPages;
import dev.latchkey.server.ReadyPage;
import dev.latchkey.telemetry.Collector;
import dev.latchkey.telemetry.Figure;
import dev.latchkey.telemetry.Log;
import dev.latchkey.telemetry.LogEvent;
import dev.latchkey.telemetry.LogQueue;
import dev.latchkey.telemetry.Metrics;
import dev.latchkey.telemetry.Traces;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// One replica, running: every part, put together by plain constructors and closed in reverse. The only place that names
/// implementations.
final class Gateway implements RunningGateway {

    private static final Log LOG = Log.of(Gateway.class);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);
    /// A call that takes longer has company: others come while it is under way.
    private static final Duration SHORT = Duration.ofMillis(500);
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Deque<AutoCloseable> parts = new ConcurrentLinkedDeque<>();
    private final Clocks clocks = new SystemClocks();
    private final SecureRandom random = new SecureRandom();
    private final Drain drain = new Drain();
    private final ReadyPage ready = new ReadyPage(drain);
    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<Upkeep> upkeeps = new ArrayList<>();
    private final Settings settings;
    private final Metrics metrics;
    private final Traces traces;
    private final Places places;
    private final ManagementServer management;
    private final PostgresLedger postgres;
    private final GatewayServer server;

    private Gateway(Settings settings) {
        this.settings = settings;
        try {
            this.metrics = part(new Metrics(Version.text()));
            Log.level(settings.telemetry().logLevel().name());
            this.traces = part(traces());
            metrics.linesDropped(LogQueue::dropped);
            this.places = Bounds.places(settings, clocks);
            // The ledger and the first port take about as long; neither needs the other.
            CompletableFuture<PostgresLedger> opening = CompletableFuture.supplyAsync(
                    () -> PostgresLedger.open(Ledgers.settings(settings, place()), metrics::committed, clocks),
                    Thread::startVirtualThread);
            Listen at = settings.management();
            this.management = startManagement(at, opening);
            this.postgres = part(joined(opening));
            Figures.show(metrics, postgres);
            metrics.gauge(Figure.READY, () -> ready.isReady() ? 1 : 0);
            this.server = serve(new MeasuredLedger(postgres, metrics, clocks));
            metrics.gauge(
                    Figure.CERTIFICATES_STALE,
                    () -> (management.isStale() ? 1 : 0) + (server.isStale() ? 1 : 0));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private Traces traces() {
        // Trace ids need not be secret, and many threads want some at once.
        LongSupplier ids = () -> ThreadLocalRandom.current().nextLong();
        Collector collector = Plans.collector(settings);
        return collector == null
                ? Traces.unsent(clocks::nanos, ids)
                : Traces.sent(clocks::nanos, ids, collector, metrics);
    }

    private ManagementServer startManagement(Listen at, CompletableFuture<PostgresLedger> opening) {
        try {
            return part(ManagementServer.start(at.host(), at.port(), ready, metrics, clocks, Plans.tls(at)));
        } catch (RuntimeException e) {
            // What is being opened must be there to be closed.
            opening.handle((ledger, failure) -> ledger == null ? null : part(ledger)).join();
            throw e;
        }
    }

    private static PostgresLedger joined(CompletableFuture<PostgresLedger> opening) {
        try {
            return opening.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException why ? why : e;
        }
    }

    /// Starts a replica.
    ///
    /// @throws dev.latchkey.postgres.LedgerUnfit when the ledger must not be used; the message says why and what to do
    static Gateway start(Settings settings) {
        return new Gateway(settings);
    }

    private GatewayServer serve(Ledger ledger) {
        Watchdog watchdog = part(new Watchdog());
        ExecutorService forwards = Executors.newVirtualThreadPerTaskExecutor();
        part(() -> end(forwards));
        Map<String, RoutePlan> plans = new HashMap<>();
        List<Settler.Route> asked = new ArrayList<>();
        List<Door> doors = new ArrayList<>();
        for (RouteSettings route : settings.routes()) {
            RoutePlan plan = Plans.plan(route, settings, watchdog, clocks);
            part(plan.downstream());
            plans.put(route.name(), plan);
            metrics.route(route.name());
            doors.add(Plans.door(route, plan));
            Lookup lookup = Plans.lookup(route);
            if (lookup != null) {
                asked.add(new Settler.Route(plan, lookup));
            }
        }
        metrics.events(HeldClaims.ROUTE);
        ByteBudget budget = new ByteBudget(settings.limits().bytes());
        ReplayCache cache = new ReplayCache(settings.cache().size(), clocks, metrics);
        Poller poller = part(new Poller(ledger, clocks));
        Waiters waiters = new Waiters(poller, clocks, settings.limits().waiting());
        Forwarding calls = new Forwarding(
                plans,
                new IdempotentCall(
                        ledger, waiters, cache, places, budget, clocks, random::nextLong, forwards, metrics),
                new PlainCall(places, clocks, forwards, metrics), Keys.fingerprints(settings),
                settings.limits().requestBody());
        Figures figures = new Figures(ledger);
        figures.show(metrics, budget, cache, waiters, places, drain);
        Duration every = settings.upkeep().every();
        upkeep(every, new Sweeper(ledger), figures);
        // On a thread of its own, for working a backlog off takes its time.
        Purger purger = new Purger(ledger, Plans.keepFreed(List.copyOf(plans.values())), clocks);
        metrics.gauge(Figure.PURGE_LAG, () -> purger.lag().toSeconds());
        upkeep(every, purger);
        // On a thread of its own, for it waits for downstreams; twice as often, so that a round's delay counts once.
        upkeep(
                every.dividedBy(2),
                new Settler(ledger, asked, settings.ledger().settleDelay(), clocks, random::nextLong));
        HeldClaims held = new HeldClaims(
                ledger, waiters, places, clocks, random::nextLong, forwards, metrics, Keys.fingerprints(settings),
                Plans.heldClaims(settings));
        Function<Entry, @Nullable String> downstreamKey = entry -> keyOf(entry, plans);
        Callers callers = new Callers(settings, watchdog, clocks);
        AutoCloseable fetching = callers.part();
        if (fetching != null) {
            part(fetching);
        }
        Clients clients = callers.clients();
        management.admit(new OperatorPages(
                callers.operators(), clients, settings.management().host(), ledger, downstreamKey,
                new Verdicts(
                        ledger, policies(plans, held), settings.ledger().settleDelay(), clocks, random::nextLong,
                        cache),
                budget));
        ClaimPages claims = new ClaimPages(
                clients, held,
                new ClaimPages.Limits(
                        settings.limits().requestBody(), settings.limits().responseBody(), settings.waiting().max()),
                DurationText::parse, budget, drain, metrics, traces, clocks);
        // Read as calls are, and reached by nobody's path.
        List<Door> read = new ArrayList<>(doors);
        read.add(held.door());
        return part(GatewayServer.start(
                gatewaySettings(doors, clients), calls,
                new OwnPages(new EntryPages(clients, ledger, read, downstreamKey), claims), budget, drain, metrics,
                traces, clocks));
    }

    private void upkeep(Duration every, Upkeep.Task... tasks) {
        upkeeps.add(part(Upkeep.of(List.of(tasks), every, clocks)));
    }

    /// By route, for verdicts.
    private static Map<String, Route> policies(Map<String, RoutePlan> plans, HeldClaims held) {
        Map<String, Route> policies = new HashMap<>();
        policies.put(held.door().name(), held.door().policy());
        plans.forEach((name, plan) -> policies.put(name, plan.policy()));
        return policies;
    }

    private GatewaySettings gatewaySettings(List<Door> doors, Clients clients) {
        return new GatewaySettings(
                settings.listen().host(), settings.listen().port(), doors, clients, settings.limits().requestBody(),
                (int) settings.limits().headerFields(), settings.waiting().max(), GatewaySettings.USUAL_IDLE,
                new CallerPace(settings.limits().callerTime(), settings.limits().callerRate()),
                settings.limits().bytes() / 2,
                new BatchLimits(
                        settings.limits().batch(), settings.limits().batches(), settings.limits().batchBytes()),
                Plans.tls(settings.listen()));
    }

    private LedgerPlace.Server place() {
        return switch (settings.ledger().place()) {
            case LedgerPlace.Server server -> server;
            case LedgerPlace.Embedded embedded -> {
                LedgerServer server = part(LedgerServer.start(embedded.dataDir()));
                LOG.info(LogEvent.POSTGRES_STARTED, "folder", embedded.dataDir().toAbsolutePath());
                yield Ledgers.at(server);
            }
        };
    }

    /// What the downstream was sent; null where the settings no longer send it so.
    private static @Nullable String keyOf(Entry entry, Map<String, RoutePlan> plans) {
        RoutePlan plan = plans.get(entry.route());
        return plan == null || !plan.policy().sentAs().equals(entry.sentAs()) ? null : plan.key().keyOf(entry);
    }

    /// Those that are still under way have been cut: they get a moment to say so in the ledger. What cannot is swept.
    private static void end(ExecutorService forwards) throws InterruptedException {
        forwards.shutdown();
        if (!forwards.awaitTermination(2, TimeUnit.SECONDS)) {
            forwards.shutdownNow();
        }
    }

    @Override
    public int port() {
        return server.port();
    }

    @Override
    public int managementPort() {
        return management.port();
    }

    @Override
    public void begin() {
        ready.started(postgres::health);
        part(Thread.ofVirtual().name("begin").start(this::beginTheRest)::interrupt);
    }

    /// Whoever waits for a replica to be ready has the processor first.
    private void beginTheRest() {
        try {
            clocks.sleep(SHORT);
            postgres.fill();
            upkeeps.forEach(Upkeep::begin);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void drain() {
        drain.leave();
        LOG.info(LogEvent.DRAINING);
        try {
            Duration delay = settings.drain().delay();
            Duration end = delay.compareTo(SHORT) < 0 ? delay : SHORT;
            clocks.sleep(delay.minus(end));
            drain.mark();
            clocks.sleep(end);
            if (!drain.hasOlder()) {
                letTheLastEnd();
            }
            drain.refuse();
            LOG.info(LogEvent.REFUSING, "under_way", drain.underWay());
            if (!awaitEmpty(clocks.nanos() + settings.drain().timeout().toNanos())) {
                LOG.warn(LogEvent.DRAIN_TIMED_OUT, "calls", drain.underWay(), "forwards", places.taken());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ended.countDown();
    }

    /// Where only short calls are under way, nobody need be told 503: a balancer that asks for nobody's health understands a
    /// refused connection, and calls elsewhere. Those that are there are served, and each is closed by its answer; a
    /// balancer's idle ones get a moment.
    private void letTheLastEnd() throws InterruptedException {
        server.acceptNoMore();
        Duration timeout = settings.drain().timeout();
        long end = clocks.nanos() + (timeout.compareTo(MOMENT) < 0 ? timeout : MOMENT).toNanos();
        while ((server.hasCallers() || drain.underWay() > 0) && clocks.nanos() < end) {
            clocks.sleep(LOOK_AGAIN);
        }
    }

    /// A forward outlives a caller who hung up or was told 504: it still has something to record.
    private boolean awaitEmpty(long end) throws InterruptedException {
        if (!drain.awaitEmpty(settings.drain().timeout())) {
            return false;
        }
        while (places.taken() > 0 && clocks.nanos() < end) {
            clocks.sleep(LOOK_AGAIN);
        }
        return places.taken() == 0;
    }

    @Override
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    private <T extends AutoCloseable> T part(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public synchronized void close() {
        if (parts.isEmpty()) {
            return;
        }
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.failure(LogEvent.FAILED, e, "part", part.getClass().getSimpleName());
            }
        }
        ended.countDown();
    }
}

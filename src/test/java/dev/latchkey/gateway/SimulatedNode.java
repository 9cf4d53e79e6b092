package dev.latchkey.gateway;

import com.fasterxml.jackson.core.JsonPointer;
import dev.latchkey.protocol.Route;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One replica of a [Simulation] as a process: the real call, waiting, cache, upkeep and verdicts, on clocks and threads of
/// its own, with its own way to the ledger. It may die, or stand still.
final class SimulatedNode {

    private static final Duration UPKEEP = Duration.ofSeconds(20);
    private static final JsonPointer FIRST = JsonPointer.compile("/data/0");
    private static final JsonPointer NONE = JsonPointer.compile("/none");

    final String name;
    final Life life;
    final NodeClocks clocks;
    final Replicas.Replica replica;
    final Verdicts verdicts;
    final SimulatedTrouble trouble;

    private SimulatedNode(
            String name, Life life, NodeClocks clocks, Replicas.Replica replica, Verdicts verdicts,
            SimulatedTrouble trouble) {
        this.name = name;
        this.life = life;
        this.clocks = clocks;
        this.replica = replica;
        this.verdicts = verdicts;
        this.trouble = trouble;
    }

    /// What its processes share.
    ///
    /// @param ledger as the replicas' statements reach it
    record Site(
            Replicas world, Random random, Scenario scenario, Guard missing, Ledger ledger,
            SimulatedDownstream downstream) {}

    /// Starts one. To be called by a thread of its life.
    ///
    /// @param keyHeader how it sends the downstream key
    /// @param fate run where it may die or stop
    static SimulatedNode start(Site site, String name, Life life, String keyHeader, Runnable fate) {
        Stage stage = site.world().stage;
        Random random = site.random();
        NodeClocks clocks = new NodeClocks(stage, Duration.ofMillis(random.nextInt(4_000) - 2_000L), random.nextLong());
        // A late verdict does harm only where the key has changed hands meanwhile, twice.
        Duration late = Duration.ofSeconds(site.missing() == Guard.VERDICT_BOUND_TO_ATTEMPT ? 600 : 30);
        SimulatedTrouble trouble = new SimulatedTrouble(stage, random, site.scenario().trouble(), late, fate);
        Faulty ledger = new Faulty(site.ledger());
        ledger.trouble(trouble);
        Route route = site.scenario().route(keyHeader);
        Replicas.Replica replica = new Replicas.Replica(
                site.world(), ledger, new Replicas.Machine(life, clocks, life, keyHeader),
                new Replicas.Size(6, 20),
                new SimulatedClient(stage, random, site.downstream(), life, fate, site.missing()), route);
        Duration delay = site.missing() == Guard.SETTLE_DELAY ? Duration.ZERO : Scenario.SETTLE_DELAY;
        Clocks watch = site.missing() == Guard.SETTLER_WATCHES ? new Racing(clocks) : clocks;
        Settler settler = new Settler(
                ledger, lookups(site.scenario(), replica, keyHeader), delay, watch,
                site.world()::nextLong);
        Upkeep.start(
                List.of(new Sweeper(ledger), settler, new Purger(ledger, site.scenario().keepFreed(), clocks)), UPKEEP,
                clocks);
        Clocks wall = site.missing() == Guard.VERDICT_BY_TWO_CLOCKS ? new Ahead(clocks) : clocks;
        Verdicts verdicts = new Verdicts(
                ledger, Map.of(route.name(), route), delay, wall, site.world()::nextLong,
                replica.cache);
        return new SimulatedNode(name, life, clocks, replica, verdicts, trouble);
    }

    private static List<Settler.Route> lookups(Scenario scenario, Replicas.Replica replica, String keyHeader) {
        RoutePlan plan = replica.plans.get("payments");
        if (plan == null || !scenario.lookup()) {
            return List.of();
        }
        return List.of(new Settler.Route(
                plan, new Lookup(
                        "/payments?k=" + keyHeader + "%20{downstream-key}",
                        new Lookup.Rule(Set.of(200), FIRST, null), new Lookup.Shape(201, FIRST),
                        new Lookup.Rule(Set.of(200, 404), NONE, null), Duration.ofMinutes(1))));
    }

    /// What is left though all is over; null: nothing.
    @Nullable
    String left() {
        Replicas.Replica r = replica;
        boolean idle = r.places.taken() == 0 && r.waiters.waiting() == 0 && r.waiters.attempts() == 0
                && r.poller.watching() == 0 && r.budget.held() == 0 && r.keyed.abandoned() == 0;
        return idle
                ? null
                : "left on " + name + ": " + r.places.taken() + " places, " + r.waiters.waiting() + " waiting, "
                        + r.waiters.attempts() + " attempts, " + r.poller.watching() + " watches, " + r.budget.held()
                        + " bytes, " + r.keyed.abandoned() + " abandoned";
    }

    /// A monotonic clock that runs a thousand times too fast.
    private record Racing(Clocks clocks) implements Clocks {
        @Override
        public Instant now() {
            return clocks.now();
        }

        @Override
        public long nanos() {
            return clocks.nanos() * 1_000;
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            clocks.sleep(time);
        }
    }

    /// A wall clock that is an hour ahead.
    private record Ahead(Clocks clocks) implements Clocks {
        @Override
        public Instant now() {
            return clocks.now().plus(Duration.ofHours(1));
        }

        @Override
        public long nanos() {
            return clocks.nanos();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            clocks.sleep(time);
        }
    }
}

package dev.latchkey.gateway;

import dev.latchkey.http.Body;
import dev.latchkey.http.Headers;
import dev.latchkey.http.Problem;
import dev.latchkey.http.Request;
import dev.latchkey.http.Response;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.FingerprintKeys;
import dev.latchkey.protocol.FingerprintPolicy;
import dev.latchkey.protocol.IdempotencyKey;
import dev.latchkey.protocol.Refusal;
import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.SentAs;
import dev.latchkey.protocol.State;
import dev.latchkey.protocol.Statuses;
import dev.latchkey.telemetry.Metrics;
import dev.latchkey.telemetry.Traces;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// Replicas of the gateway on one ledger in memory, and calls through them.
final class Replicas {

    static final Duration TIMEOUT = Duration.ofSeconds(30);
    static final Duration MARGIN = Duration.ofSeconds(10);
    static final Duration LEASE = TIMEOUT.plus(MARGIN);
    static final String CLIENT = "pipelines";
    static final SentAs SENT_AS = SentAs.of("http://downstream", "derived", "Idempotency-Key", "bare");

    static final Metrics METRICS = new Metrics("test");

    final Stage stage;
    final MemoryLedger memory = new MemoryLedger(Stage.START);
    final Faulty ledger = new Faulty(memory);
    private final Random random;

    Replicas(long seed) {
        this.stage = new Stage(seed);
        this.random = new Random(seed);
        stage.onTime(memory::advance);
    }

    /// Where a replica ends.
    ///
    /// @param forwards places among the forwards of the replica
    /// @param waiting places to wait
    record Size(int forwards, int waiting) {}

    Replica replica(Downstream downstream, Route... routes) {
        return replica(new Size(100, 100), downstream, routes);
    }

    Replica replica(Size size, Downstream downstream, Route... routes) {
        return replica(ledger, stage, size, downstream, routes);
    }

    Replica replica(Ledger through, Executor threads, Size size, Downstream downstream, Route... routes) {
        Machine machine = new Machine(new Life(stage), stage, threads, "Idempotency-Key");
        CompletableFuture<Replica> made =
                machine.life().start(() -> new Replica(this, through, machine, size, downstream, routes));
        stage.settle();
        return made.join();
    }

    /// Where a replica runs.
    ///
    /// @param life its threads
    /// @param forwards runs its forwards
    /// @param keyHeader the field that carries the downstream key
    record Machine(Life life, Clocks clocks, Executor forwards, String keyHeader) {}

    long nextLong() {
        return random.nextLong();
    }

    static Route route() {
        return route("payments", null, false, Statuses.usual());
    }

    static Route deduplicating() {
        return route("payments", Duration.ofHours(24), false, Statuses.usual());
    }

    static Route route(String name, @Nullable Duration deduplicates, boolean resend, Statuses statuses) {
        return new Route(
                name, TIMEOUT, MARGIN, deduplicates, resend, false, true, SENT_AS, statuses, Retention.usual());
    }

    static EntryId id(String key) {
        return EntryId.of(CLIENT, IdempotencyKey.of(key));
    }

    /// One replica.
    static final class Replica {
        final Poller poller;
        final Waiters waiters;
        final ReplayCache cache;
        final Places places;
        final ByteBudget budget = new ByteBudget(1_000_000);
        final IdempotentCall keyed;
        final Forwarding calls;
        private final Replicas world;
        private final Life life;
        final Map<String, RoutePlan> plans;
        private final Map<String, Route> routes;
        private final Traces traces;

        /// To be made by a thread of the replica's own, since its threads are made by this one.
        Replica(
                Replicas world, Ledger ledger, Machine machine, Size size, Downstream downstream, Route... routes) {
            this.world = world;
            this.life = machine.life();
            Clocks clocks = machine.clocks();
            Executor threads = machine.forwards();
            this.traces = Traces.unsent(clocks::nanos, world::nextLong);
            this.poller = new Poller(ledger, clocks);
            this.waiters = new Waiters(poller, clocks, size.waiting());
            this.cache = new ReplayCache(1_000_000, clocks, METRICS);
            this.routes = java.util.Arrays.stream(routes)
                    .collect(java.util.stream.Collectors.toMap(Route::name, route -> route));
            this.places = new Places(
                    size.forwards(), ClientBounds.ofForwards(size.forwards(), clocks), java.util.Arrays.stream(routes)
                            .collect(java.util.stream.Collectors.toMap(Route::name, route -> size.forwards())));
            this.keyed = new IdempotentCall(
                    ledger, waiters, cache, places, budget, clocks, world::nextLong, threads, METRICS);
            PlainCall plain = new PlainCall(places, clocks, threads, METRICS);
            this.plans = this.routes.values().stream()
                    .collect(java.util.stream.Collectors.toMap(Route::name, route -> new RoutePlan(
                            route, downstream,
                            new KeySending(KeySending.Value.DERIVED, machine.keyHeader(), false),
                            Headers::empty, Set.of(), FingerprintPolicy.PLAIN)));
            this.calls = new Forwarding(plans, keyed, plain, FingerprintKeys.NONE, 1_000_000);
        }

        Door door(String route) {
            return new Door(java.util.Objects.requireNonNull(routes.get(route)), "/" + route, new KeyRule.Optional());
        }

        /// Begins a call with an order to be paid.
        CompletableFuture<Answer> call(String key, String body) {
            return call(key, body, null);
        }

        CompletableFuture<Answer> call(@Nullable String key, String body, @Nullable Duration patience) {
            return call(key, "POST", body, patience, Headers.empty());
        }

        CompletableFuture<Answer> call(
                @Nullable String key, String method, String body, @Nullable Duration patience, Headers more) {
            Headers headers = more.plus("Content-Type", "application/json");
            Request request = new Request(method, "/payments/orders", null, headers, Body.ofUtf8(body));
            Call call = new Call(
                    Caller.named(CLIENT), door("payments"), "/orders", request,
                    key == null ? null : IdempotencyKey.of(key),
                    patience, new Origin("http", "gateway", "127.0.0.1", "1.1"), traces.begin(headers, method, true));
            return life.start(() -> calls.answer(call));
        }

        /// A call and its answer, with nobody else about.
        Answer answer(String key, String body) {
            return world.stage.await(call(key, body), "the call", Duration.ofMinutes(2));
        }
    }

    static Answer.Delivered delivered(@Nullable Answer answer) {
        if (answer instanceof Answer.Delivered delivered) {
            return delivered;
        }
        throw new AssertionError("not a response: " + answer);
    }

    static Refusal refusal(@Nullable Answer answer) {
        if (answer instanceof Answer.Refused refused) {
            return refused.refusal();
        }
        throw new AssertionError("not a refusal: " + answer);
    }

    static String text(Answer answer) {
        return switch (answer) {
            case Answer.Delivered it -> it.response().status() + " " + it.state() + (it.replayed() ? " replayed" : "");
            case Answer.Streamed it -> it.status() + " streamed";
            case Answer.Refused it -> it.refusal().status() + " " + it.refusal().problem().slug();
        };
    }

    static boolean is(Answer answer, Problem problem) {
        return answer instanceof Answer.Refused refused && refused.refusal().problem() == problem;
    }

    long attemptOf(String key) {
        var found = memory.find(id(key));
        return java.util.Objects.requireNonNull(found, "no entry").entry().attempt();
    }

    State stateOf(String key) {
        var found = memory.find(id(key));
        return java.util.Objects.requireNonNull(found, "no entry").entry().state();
    }

    static Response response(Answer answer) {
        return delivered(answer).response();
    }
}

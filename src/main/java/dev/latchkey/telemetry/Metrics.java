package dev.latchkey.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Everything that is counted. Each name and its help are here, in [Figure] and in [Event]; every label has a small, closed
/// set of values, and none holds a client, key or path. What is usual is there from the start, at zero. Safe for any number
/// of threads.
public final class Metrics implements AutoCloseable {

    /// The `route` of a call that none was found for.
    public static final String NO_ROUTE = "none";

    private static final Duration[] CALLS = Buckets.ofCalls();
    private static final Duration[] OURS = Buckets.ofOurs();
    private static final String[] REFUSALS = {"ledger-unavailable", "overloaded", "internal-error", "outcome-unknown"};

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbage = new JvmGcMetrics();
    /// By name and labels: to look a timer up in the registry costs as much as all the rest of counting.
    private final Map<List<String>, Timer> timers = new ConcurrentHashMap<>();
    private final Counter hits = counter(
            "latchkey.cache.lookups", "Looks for a recorded response in memory, by result", "result", "hit");
    private final Counter misses = counter(
            "latchkey.cache.lookups", "Looks for a recorded response in memory, by result", "result", "miss");
    private final Counter evicted = counter(
            "latchkey.cache.evictions", "Recorded responses that left memory to make room (size) or by age (age)",
            "cause",
            "size");
    private final Counter aged = counter(
            "latchkey.cache.evictions", "Recorded responses that left memory to make room (size) or by age (age)",
            "cause",
            "age");
    private final Counter leasesOver = counter(
            "latchkey.leases.expired",
            "Claims whose lease ended before their attempt said how it went: a replica died or stalled");
    private final Counter spansSent =
            counter("latchkey.spans", "Spans of traces, by what became of them", "result", "sent");
    private final Counter spansLost =
            counter("latchkey.spans", "Spans of traces, by what became of them", "result", "lost");
    private final DistributionSummary committed = DistributionSummary.builder("latchkey.group.commit.size")
            .description("Claims and records that were written by one group commit")
            .serviceLevelObjectives(Buckets.ofBatches())
            .register(registry);
    private final Timer commits =
            timer("latchkey.group.commit", "Group commits, from their statement's sending to the commit", OURS);

    /// @param version of this program
    public Metrics(String version) {
        Gauge.builder("latchkey.build.info", () -> 1)
                .description("Always 1; the labels say what runs")
                .tag("version", version)
                .tag("java", Runtime.version().toString())
                .register(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        garbage.bindTo(registry);
        for (String result : List.of("won", "lost", "unavailable")) {
            ledgerTimer("claim", result);
        }
        for (String result : List.of("applied", "lost", "unavailable")) {
            ledgerTimer("record", result);
        }
    }

    /// Shows a route from now on, before its first call.
    public void route(String route) {
        for (String answer : List.of("fresh", "replay")) {
            callTimer(route, answer, 200);
        }
        for (String refusal : REFUSALS) {
            callTimer(route, refusal, 500);
        }
        forwardTimer(route, "recorded", 200);
        forwardTimer(route, "released", 400);
        forwardTimer(route, "in-doubt", 0);
        forwardTimer(route, "not-sent", 0);
        addedTimer(route);
        events(route);
    }

    /// Shows a route's events from now on: a counter that is born at one has never risen, so no alert sees its first.
    public void events(String route) {
        for (Event event : Event.values()) {
            counter(event, route);
        }
    }

    /// A call was answered.
    ///
    /// @param route its name, or [#NO_ROUTE]
    /// @param answer `fresh`, `replay`, `streamed`, or the refusal's name
    /// @param status of the answer
    /// @param nanos from its first header field to the answer's last byte
    public void called(String route, String answer, int status, long nanos) {
        callTimer(route, answer, status).record(nanos, TimeUnit.NANOSECONDS);
    }

    /// A call was answered, and so long the gateway itself took for it.
    public void added(String route, long nanos) {
        addedTimer(route).record(nanos, TimeUnit.NANOSECONDS);
    }

    /// A forward ended.
    ///
    /// @param outcome such as `recorded`, `released`, `in-doubt`, `not-sent`: from a small set
    /// @param status of the response; 0: none came
    /// @param nanos from the making of its request to its outcome
    public void forwarded(String route, String outcome, int status, long nanos) {
        forwardTimer(route, outcome, status).record(nanos, TimeUnit.NANOSECONDS);
    }

    /// The ledger was asked.
    ///
    /// @param operation such as `claim`, `record`, `find`
    /// @param result such as `won`, `lost`, `applied`, `unavailable`
    public void ledger(String operation, String result, long nanos) {
        ledgerTimer(operation, result).record(nanos, TimeUnit.NANOSECONDS);
    }

    /// A group commit is over, well or not.
    ///
    /// @param items claims and records in it
    public void committed(int items, long nanos) {
        committed.record(items);
        commits.record(nanos, TimeUnit.NANOSECONDS);
    }

    /// Recorded responses were looked for in memory.
    public void cache(boolean hit) {
        (hit ? hits : misses).increment();
    }

    /// A recorded response left memory.
    ///
    /// @param forRoom to make room; else by its age
    public void evicted(boolean forRoom) {
        (forRoom ? evicted : aged).increment();
    }

    /// Claims were found whose lease was over.
    public void leasesExpired(int claims) {
        leasesOver.increment(claims);
    }

    /// Spans were sent, or lost.
    void spans(boolean sent, int count) {
        (sent ? spansSent : spansLost).increment(count);
    }

    /// Something happened that is counted alone.
    public void count(Event event, String route) {
        counter(event, route).increment();
    }

    /// Keeps showing how many lines of the log were dropped, since it could not be written fast enough.
    public void linesDropped(LongSupplier dropped) {
        FunctionCounter.builder("latchkey.log.lines.dropped", dropped, LongSupplier::getAsLong)
                .description("Lines of the log that were dropped, since whoever reads standard output is too slow")
                .register(registry);
    }

    /// Keeps showing a figure. Null: not known at present.
    ///
    /// @param labels names and values in turn
    public void gauge(Figure figure, Supplier<? extends @Nullable Number> value, String... labels) {
        Gauge.builder(figure.metric(), () -> orNotANumber(value.get()))
                .description(figure.help())
                .baseUnit(figure.unit())
                .tags(labels)
                .strongReference(true)
                .register(registry);
    }

    /// All of it as Prometheus text.
    public String scrape() {
        return registry.scrape();
    }

    @Override
    public void close() {
        garbage.close();
        registry.close();
    }

    private Timer callTimer(String route, String answer, int status) {
        return timer("latchkey.calls", "Calls answered, by route, answer and class of status", CALLS,
                "route", route, "answer", answer, "status_class", statusClass(status));
    }

    private Timer addedTimer(String route) {
        return timer(
                "latchkey.added",
                "What the gateway itself added to calls: from the whole request to its answer, without the forward and"
                        + " without waiting for another call's",
                OURS, "route", route);
    }

    private Timer forwardTimer(String route, String outcome, int status) {
        return timer("latchkey.forwards", "Forwards ended, by route, outcome and class of status", CALLS,
                "route", route, "outcome", outcome, "status_class", statusClass(status));
    }

    private Timer ledgerTimer(String operation, String result) {
        return timer("latchkey.ledger", "Operations on the ledger, by kind and result", OURS,
                "operation", operation, "result", result);
    }

    private Timer timer(String name, String help, Duration[] buckets, String... labels) {
        List<String> id = new ArrayList<>(labels.length + 1);
        id.add(name);
        id.addAll(Arrays.asList(labels));
        Timer known = timers.get(id);
        return known != null
                ? known
                : timers.computeIfAbsent(id, same -> Timer.builder(name)
                        .description(help)
                        .tags(labels)
                        .serviceLevelObjectives(buckets)
                        .register(registry));
    }

    private Counter counter(Event event, String route) {
        return counter(event.metric(), event.help(), "route", route);
    }

    private Counter counter(String name, String help, String... labels) {
        return Counter.builder(name).description(help).tags(labels).register(registry);
    }

    private static Number orNotANumber(@Nullable Number value) {
        return value == null ? Double.NaN : value;
    }

    private static String statusClass(int status) {
        return switch (status / 100) {
            case 1 -> "1xx";
            case 2 -> "2xx";
            case 3 -> "3xx";
            case 4 -> "4xx";
            case 5 -> "5xx";
            default -> "none";
        };
    }
}

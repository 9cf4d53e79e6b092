package dev.latchkey.telemetry;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Everything that is counted. Each name and its help are here; every label has a small, closed set of values, and none
/// holds a client, key or path. Safe for any number of threads.
public final class Metrics implements AutoCloseable {

    /// The `route` of a call that none was found for.
    public static final String NO_ROUTE = "none";

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(2), Duration.ofMillis(5), Duration.ofMillis(10), Duration.ofMillis(25), Duration.ofMillis(50),
        Duration.ofMillis(100), Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1),
        Duration.ofMillis(2500), Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(30),
        Duration.ofSeconds(60)
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics garbage = new JvmGcMetrics();
    /// By name and labels: to look a timer up in the registry costs as much as all the rest of counting.
    private final Map<List<String>, Timer> timers = new ConcurrentHashMap<>();
    private final Counter hits;
    private final Counter misses;

    /// @param version of this program
    public Metrics(String version) {
        hits = lookups("hit");
        misses = lookups("miss");
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
    }

    /// A call was answered.
    ///
    /// @param route its name, or [#NO_ROUTE]
    /// @param answer `fresh`, `replay`, `streamed`, or the refusal's name
    /// @param status of the answer
    /// @param nanos from its first header field to the answer's last byte
    public void called(String route, String answer, int status, long nanos) {
        timer("latchkey.calls", "Calls answered, by route and answer",
                List.of("route", route, "answer", answer, "status_class", statusClass(status)))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    /// A forward ended.
    ///
    /// @param outcome such as `recorded`, `released`, `in-doubt`, `not-sent`: from a small set
    /// @param status of the response; 0: none came
    /// @param nanos from its claim, or from its start where it has no key
    public void forwarded(String route, String outcome, int status, long nanos) {
        timer("latchkey.forwards", "Forwards ended, by route and outcome",
                List.of("route", route, "outcome", outcome, "status_class", statusClass(status)))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    /// The ledger was asked.
    ///
    /// @param operation such as `claim`, `settle`, `find`
    /// @param result such as `won`, `lost`, `applied`, `unavailable`
    public void ledger(String operation, String result, long nanos) {
        timer("latchkey.ledger", "Operations on the ledger, by kind and result",
                List.of("operation", operation, "result", result))
                .record(nanos, TimeUnit.NANOSECONDS);
    }

    /// Recorded responses were looked for in memory.
    public void cache(boolean hit) {
        (hit ? hits : misses).increment();
    }

    /// Something happened that is counted alone.
    public void count(Event event, String route) {
        Counter.builder(event.metric).description(event.help).tag("route", route).register(registry).increment();
    }

    /// Keeps showing a figure. Null: not known at present.
    public void gauge(Figure figure, Supplier<? extends @Nullable Number> value) {
        Gauge.builder(figure.metric, () -> orNotANumber(value.get()))
                .description(figure.help)
                .baseUnit(figure.unit)
                .strongReference(true)
                .register(registry);
    }

    /// All of it as Prometheus text.
    public String scrape() {
        return registry.scrape();
    }

    /// The registry, for a library that counts by itself.
    public MeterRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        garbage.close();
        registry.close();
    }

    private Counter lookups(String result) {
        return Counter.builder("latchkey.cache.lookups")
                .description("Looks for a recorded response in memory, by result")
                .tag("result", result)
                .register(registry);
    }

    /// The names of their labels are different for each.
    private Timer timer(String name, String help, List<String> labels) {
        Timer known = timers.get(labels);
        return known != null
                ? known
                : timers.computeIfAbsent(labels, same -> Timer.builder(name)
                        .description(help)
                        .tags(labels.toArray(String[]::new))
                        .serviceLevelObjectives(BUCKETS)
                        .register(registry));
    }

    private static Number orNotANumber(@Nullable Number value) {
        return value == null ? Double.NaN : value;
    }

    private static String statusClass(int status) {
        return status < 100 || status > 599 ? "none" : status / 100 + "xx";
    }

    /// What is counted alone. Each of them is worth a look by a person.
    public enum Event {
        /// A genuine response came for an attempt that no longer had its key (G18).
        LATE_RESPONSE("latchkey.late.responses", "Genuine responses that came after their attempt had lost its key"),
        /// An attempt put its entry in doubt.
        DOUBT("latchkey.doubts", "Entries that went into doubt"),
        /// A caller left before its answer.
        CALLER_GONE("latchkey.callers.gone", "Answers whose caller had hung up");

        private final String metric;
        private final String help;

        Event(String metric, String help) {
            this.metric = metric;
            this.help = help;
        }
    }

    /// What is shown as it stands.
    public enum Figure {
        ENTRIES_IN_DOUBT("latchkey.entries.in.doubt", "Entries in doubt in the whole ledger", null),
        OLDEST_DOUBT("latchkey.oldest.doubt", "Age of the oldest entry in doubt; 0: there is none", "seconds"),
        WAITING("latchkey.calls.waiting", "Calls waiting for a forward under way", null),
        CALLS_UNDER_WAY("latchkey.calls.under.way", "Calls not yet answered", null),
        FORWARDS_UNDER_WAY("latchkey.forwards.under.way", "Forwards under way", null),
        BODIES_HELD("latchkey.bodies.held", "Bodies held in memory", "bytes"),
        CACHE_ENTRIES("latchkey.cache.entries", "Recorded responses in memory", null),
        CACHE_SIZE("latchkey.cache.size", "Size of the recorded responses in memory", "bytes"),
        PURGE_LAG("latchkey.purge.lag", "How long the oldest row is past its retention; 0: nothing is left", "seconds"),
        LEDGER_REACHABLE("latchkey.ledger.reachable", "1: the ledger answered when last asked", null);

        private final String metric;
        private final String help;
        private final @Nullable String unit;

        Figure(String metric, String help, @Nullable String unit) {
            this.metric = metric;
            this.help = help;
            this.unit = unit;
        }
    }
}

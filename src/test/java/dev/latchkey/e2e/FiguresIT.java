package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.testing.Gate;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.Step;
import io.restassured.response.Response;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/// Each figure moves when that happens which it counts; [WatchIT] holds that it is there.
@EndToEnd
final class FiguresIT {

    /// What a first call, its replay, one without a key and one that goes into doubt add to.
    private static final List<String> COUNTED = List.of(
            "latchkey_calls_seconds_count{answer=\"fresh\",route=\"payments\",status_class=\"2xx\"",
            "latchkey_calls_seconds_sum{answer=\"fresh\",route=\"payments\",status_class=\"2xx\"",
            "latchkey_calls_seconds_count{answer=\"replay\",route=\"payments\",status_class=\"2xx\"",
            "latchkey_calls_seconds_count{answer=\"outcome-unknown\",route=\"payments\",status_class=\"5xx\"",
            "latchkey_added_seconds_count{route=\"payments\"",
            "latchkey_added_seconds_sum{route=\"payments\"",
            "latchkey_forwards_seconds_count{outcome=\"recorded\",route=\"payments\",status_class=\"2xx\"",
            "latchkey_forwards_seconds_sum{outcome=\"recorded\",route=\"payments\",status_class=\"2xx\"",
            "latchkey_forwards_seconds_count{outcome=\"in-doubt\",route=\"payments\",status_class=\"none\"",
            "latchkey_forwards_seconds_count{outcome=\"no-key\",route=\"optional\",status_class=\"2xx\"",
            "latchkey_ledger_seconds_count{operation=\"claim\",result=\"won\"",
            "latchkey_ledger_seconds_count{operation=\"record\",result=\"applied\"",
            "latchkey_group_commit_seconds_count", "latchkey_group_commit_size_sum",
            "latchkey_cache_lookups_total{result=\"hit\"", "latchkey_cache_lookups_total{result=\"miss\"",
            "latchkey_doubts_total{route=\"payments\"");

    /// What they leave to be seen.
    private static final List<String> SEEN = List.of(
            "latchkey_ready", "latchkey_ledger_reachable", "latchkey_ledger_writable", "latchkey_lanes_open",
            "latchkey_cache_entries",
            "latchkey_cache_size_bytes", "latchkey_entries{state=\"recorded\"", "latchkey_entries{state=\"in-doubt\"",
            "latchkey_oldest_doubt_seconds", "latchkey_ledger_connections_open{pool=\"ledger\"",
            "latchkey_ledger_connections_open{pool=\"ledger-lanes\"",
            "latchkey_ledger_connections_most{pool=\"ledger\"",
            "latchkey_ledger_connections_most{pool=\"ledger-lanes\"");

    private final Replica gateway;
    private final RawDownstream downstream;

    FiguresIT(World world) {
        gateway = world.gateway();
        downstream = world.downstream();
    }

    @Test
    void callsForwardsAndWhatTheLedgerDidAreCounted() {
        Metrics before = Metrics.of(gateway);
        String key = Canary.key();
        Expect.fresh(post(key, "figures"), 201);
        Expect.replayed(post(key, "figures"), 201);
        assertThat(gateway.as(ALICE).get("/optional/figures").statusCode()).isEqualTo(201);
        downstream.at("/pay/figures/doubt", Step.close());
        Expect.refused(post(Canary.key(), "figures/doubt"), 502, "outcome-unknown");
        await().untilAsserted(() -> {
            Metrics now = Metrics.of(gateway);
            assertThat(COUNTED).allSatisfy(name -> assertThat(now.sum(name)).isGreaterThan(before.sum(name)));
            assertThat(SEEN).allSatisfy(name -> assertThat(now.sum(name)).isPositive());
        });
    }

    @Test
    void whatIsUnderWayIsShown() throws Exception {
        Gate gate = new Gate();
        downstream.at("/pay/figures/slow", gate.before(Step.json(201, "{}")));
        String key = Canary.key();
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Response> first = calls.submit(() -> post(key, "figures/slow"));
            gate.awaitReached();
            Future<Response> waiting = calls.submit(() -> post(key, "figures/slow"));
            await().untilAsserted(() -> {
                Metrics now = Metrics.of(gateway);
                assertThat(now.sum("latchkey_calls_under_way")).isGreaterThanOrEqualTo(2);
                assertThat(List.of("latchkey_calls_waiting", "latchkey_forwards_under_way",
                        "latchkey_bodies_held_bytes", "latchkey_entries{state=\"claimed\""))
                        .allSatisfy(name -> assertThat(now.sum(name)).isPositive());
            });
            gate.open();
            Expect.fresh(first.get(), 201);
            Expect.replayed(waiting.get(), 201);
        }
    }

    private Response post(String key, String path) {
        return gateway.keyed(ALICE, key).body("{}").post("/payments/" + path);
    }
}

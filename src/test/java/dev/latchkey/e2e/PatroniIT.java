package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.sandbox.Sandbox;
import dev.latchkey.testing.Alone;
import dev.latchkey.torture.Caller;
import dev.latchkey.torture.Effects;
import dev.latchkey.torture.Ending;
import dev.latchkey.torture.Endings;
import dev.latchkey.torture.Load;
import dev.latchkey.torture.Mix;
import dev.latchkey.torture.Witness;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Three servers under a real Patroni lose their leader under load, and get another by themselves: two gateways go on by
/// themselves, nothing happens twice, and every answer that anybody got stays true.
@Alone
final class PatroniIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Duration AT_MOST = Duration.ofSeconds(10);
    /// Keys that are called before, and after.
    private static final int SOME = 150;

    /// A machine that is busy with other things keeps no time.
    private final boolean busy = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
            > 4 * Runtime.getRuntime().availableProcessors();
    private final Witness witness = new Witness();

    @Test
    void gatewaysOutliveTheLeader(@TempDir Path folder) throws Exception {
        try (PatroniCluster cluster = PatroniCluster.start(folder);
                Sandbox sandbox = Sandbox.start("127.0.0.1", 0);
                Caller caller = new Caller(new SystemClocks(), ALICE.token(), Duration.ofSeconds(60))) {
            String settings = Failover.settings(cluster.url("postgres"), sandbox.port());
            try (Replica one = Replica.start(folder, settings); Replica other = Replica.start(folder, settings)) {
                List<URI> gateways = List.of(Failover.url(one), Failover.url(other));
                Load load = new Load(
                        () -> gateways, "/notifications", caller, witness, Mix.calm().withCallers(6), 1,
                        new SystemClocks());
                whileCalled(load, () -> {
                    awaitMore(load);
                    PatroniMember killed = cluster.leader().orElseThrow();
                    killed.kill();
                    long since = System.nanoTime();
                    await().atMost(PATIENCE).until(() -> cluster.leader().isPresent());
                    say("another leads", since);
                    for (URI gateway : gateways) {
                        await().atMost(PATIENCE).until(() -> Failover.serves(caller, gateway));
                    }
                    say("both gateways serve", since);
                    awaitMore(load);
                    cluster.start(killed);
                    cluster.awaitWhole();
                    say("the killed one follows", since);
                    assertThat(cluster.leader()).isNotEmpty().isNotEqualTo(Optional.of(killed));
                    awaitMore(load);
                });
                await().atMost(PATIENCE).until(() -> Failover.noneIsClaimed(caller, gateways.getFirst()));
                load.repeatAll();
                audit(caller, gateways.getLast(), sandbox);
            }
        }
    }

    private static void say(String what, long since) {
        System.out.println(what + " after " + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
    }

    private interface Meanwhile {
        void run() throws Exception;
    }

    private static void whileCalled(Load load, Meanwhile meanwhile) throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        try (ExecutorService background = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> calls = background.submit(() -> {
                load.run(_ -> !enough.get());
                return true;
            });
            try {
                meanwhile.run();
            } finally {
                enough.set(true);
            }
            calls.get();
        }
    }

    private static void awaitMore(Load load) {
        int until = load.ended() + SOME;
        await().atMost(PATIENCE).until(() -> load.ended() > until);
    }

    private void audit(Caller caller, URI gateway, Sandbox sandbox) throws Exception {
        Effects effects = Effects.read(caller, URI.create("http://127.0.0.1:" + sandbox.port()));
        Map<String, Ending> endings = Endings.read(caller, gateway);
        System.out.println(witness.kinds());
        assertThat(witness.audit(key -> effects.of(ALICE.wireName(), key), endings)).isEmpty();
        assertThat(witness.kinds()).containsKey("503 ledger-unavailable").doesNotContainKey("no answer");
        // Nobody but the ledger failed, and no process of ours died: what was forwarded has been recorded in the end.
        assertThat(endings.values()).extracting(Ending::state).doesNotContain("in-doubt", "claimed");
        Duration longest = witness.keys().stream().flatMap(key -> witness.told(key).stream())
                .map(told -> Duration.ofNanos(told.heard() - told.asked())).max(Duration::compareTo).orElseThrow();
        System.out.println("the longest answer took " + longest.toMillis() + " ms");
        assertThat(longest).isLessThan(busy ? AT_MOST.multipliedBy(6) : AT_MOST);
    }
}

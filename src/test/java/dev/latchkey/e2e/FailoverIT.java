package dev.latchkey.e2e;

import static dev.latchkey.e2e.Client.ALICE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.latchkey.gateway.SystemClocks;
import dev.latchkey.sandbox.Sandbox;
import dev.latchkey.testing.Alone;
import dev.latchkey.testing.PostgresNode;
import dev.latchkey.testing.PostgresPair;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The primary is lost under load, its standby is promoted, and the old primary comes back as a second one: two gateways go
/// on by themselves, nothing happens twice, and every answer that anybody got stays true.
///
/// `-Dlatchkey.failover.keys=N`: so many keys each time.
@Alone
final class FailoverIT {

    private static final int KEYS = Integer.getInteger("latchkey.failover.keys", 800);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration SERVES_AGAIN = Duration.ofSeconds(10);

    /// A machine that is busy with other things keeps no time.
    private final boolean busy = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()
            > 4 * Runtime.getRuntime().availableProcessors();
    private final Witness witness = new Witness();

    /// What befalls the primary.
    private enum Loss {
        KILLED {
            @Override
            void befall(PostgresNode primary) {
                primary.kill();
            }

            @Override
            void comeBack(PostgresNode primary) {
                primary.start();
            }
        },
        FROZEN {
            @Override
            void befall(PostgresNode primary) {
                primary.freeze();
            }

            @Override
            void comeBack(PostgresNode primary) {
                primary.thaw();
            }
        };

        abstract void befall(PostgresNode primary);

        abstract void comeBack(PostgresNode primary);
    }

    @ParameterizedTest
    @EnumSource
    void gatewaysOutliveTheirPrimary(Loss loss, @TempDir Path folder) throws Exception {
        try (PostgresPair pair = PostgresPair.startWithSpare(folder);
                Sandbox sandbox = Sandbox.start("127.0.0.1", 0);
                Caller caller = new Caller(new SystemClocks(), ALICE.token(), Duration.ofSeconds(60))) {
            String database = pair.newDatabase();
            String settings = Failover.settings(pair.url(database), sandbox.port());
            try (Replica one = Replica.start(folder, settings);
                    Replica other = Replica.start(folder, settings)) {
                List<URI> gateways = List.of(Failover.url(one), Failover.url(other));
                Load load = new Load(
                        () -> gateways, "/notifications", caller, witness, Mix.calm(), 1, new SystemClocks());
                try (ExecutorService background = Executors.newVirtualThreadPerTaskExecutor()) {
                    Future<?> calls = background.submit(() -> {
                        load.run(begun -> begun < KEYS);
                        return true;
                    });
                    await().atMost(PATIENCE).until(() -> load.ended() > KEYS / 3);
                    loss.befall(pair.primary());
                    await().atMost(PATIENCE).until(() -> witness.kinds().containsKey("503 ledger-unavailable"));
                    pair.standby().promote();
                    String promoted = pair.standby().ask("select now()");
                    long began = System.nanoTime();
                    for (URI gateway : gateways) {
                        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20))
                                .until(() -> Failover.serves(caller, gateway));
                    }
                    Duration outage = Duration.ofNanos(System.nanoTime() - began);
                    System.out.println(loss + ": both gateways serve " + outage.toMillis() + " ms after the promotion");
                    loss.comeBack(pair.primary());
                    assertThat(pair.primary().ask("select pg_is_in_recovery()")).isEqualTo("f");
                    calls.get();
                    assertThat(outage).isLessThan(busy ? SERVES_AGAIN.multipliedBy(6) : SERVES_AGAIN);
                    assertThat(pair.primary().ask(
                            database, "select count(*) from entry where claimed_at > '" + promoted + "'"))
                            .as("claims on the replaced server").isEqualTo("0");
                }
                await().atMost(PATIENCE).until(() -> Failover.noneIsClaimed(caller, gateways.getFirst()));
                load.repeatAll();
                audit(caller, gateways.getLast(), sandbox);
            }
        }
    }

    private void audit(Caller caller, URI gateway, Sandbox sandbox) throws Exception {
        Effects effects = Effects.read(caller, URI.create("http://127.0.0.1:" + sandbox.port()));
        Map<String, Ending> endings = Endings.read(caller, gateway);
        System.out.println(witness.kinds());
        assertThat(witness.keys()).hasSizeGreaterThanOrEqualTo(KEYS);
        assertThat(witness.audit(key -> effects.of(ALICE.wireName(), key), endings)).isEmpty();
        // Nobody but the ledger failed, and no process died: what was forwarded has been recorded in the end.
        assertThat(endings.values()).extracting(Ending::state).doesNotContain("in-doubt", "claimed");
    }
}

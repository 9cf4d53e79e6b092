package dev.latchkey.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.latchkey.testing.CuttingProxy;
import dev.latchkey.testing.Ending;
import dev.latchkey.testing.Fault;
import dev.latchkey.testing.RawDownstream;
import dev.latchkey.testing.TestPostgres;
import dev.latchkey.torture.Mix;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/// Connections die on both sides of two gateways under load, at any moment: each key takes effect once at most, and every
/// answer that anybody got stays true.
///
/// `-Dlatchkey.cut.keys=N`: so many keys.
@EndToEnd
final class CutEverywhereIT {

    private static final int KEYS = Integer.getInteger("latchkey.cut.keys", 2_000);
    private static final double LEDGER_CHANCE = 0.003;
    private static final double DOWNSTREAM_CHANCE = 0.02;

    private final World world;
    private final RawDownstream downstream;

    CutEverywhereIT(World world) {
        this.world = world;
        downstream = world.downstream();
    }

    @Test
    void cutConnectionsCauseNoEffectTwiceAndNoUntrueAnswer() throws Exception {
        long seed = Long.getLong("latchkey.test.seed", ThreadLocalRandom.current().nextLong());
        System.out.println("-Dlatchkey.test.seed=" + seed);
        try (TestPostgres database = TestPostgres.create();
                CuttingProxy toLedger = CuttingProxy.to(database.port());
                Trial trial = new Trial();
                CuttingProxy toDownstream = CuttingProxy.to(trial.sandboxPort())) {
            String settings = Settings.of(
                    Settings.ledger(database.through(toLedger.port())), downstream.url(), downstream.url())
                    + Trial.route(toDownstream.port());
            try (Replica one = world.start(settings); Replica other = world.start(settings)) {
                toLedger.with(Fault.atRandom(seed, LEDGER_CHANCE, Ending.RESET, Ending.FIN));
                toDownstream.with(Fault.atRandom(seed + 1, DOWNSTREAM_CHANCE, Ending.RESET, Ending.FIN));
                Trial.Running load =
                        trial.start(List.of(one, other), Mix.calm(), seed, begun -> begun < KEYS);
                load.end().get();
                toLedger.withoutFaults();
                toDownstream.withoutFaults();
                load.load().repeatAll();

                System.out.println(trial.kinds());
                assertThat(trial.audit(one)).hasSizeGreaterThan(KEYS * 9 / 10);
                assertThat(trial.kinds()).containsKeys("202 recorded", "202 recorded replayed", "502 outcome-unknown",
                        "503 ledger-unavailable");
            }
        }
    }
}

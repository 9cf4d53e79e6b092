package dev.latchkey.torture;

import dev.latchkey.gateway.Clocks;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Load and audit, in rounds: a sandbox remembers only so many effects. Gateways, database and networks may come and go
/// meanwhile; what cannot be reached at the end of a round is waited for a while. Used once.
public final class Torture {

    private static final int KEYS_A_ROUND = 25_000;
    private static final int LOOKS = 3;
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration AFTER_LEASES = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Target target;
    private final Caller caller;
    private final Mix mix;
    private final Clocks clocks;
    private final Watcher watcher;
    private final BooleanSupplier stopped;
    private final @Nullable Killer killer;
    private volatile @Nullable IOException killing;

    /// @param caller with the client's token
    /// @param callers keys under way at once
    /// @param stopped whether the load is to end early
    /// @param killer has the gateway running, and kills it meanwhile; null: nobody does, or others do
    public Torture(
            Target target, Caller caller, int callers, Clocks clocks, Watcher watcher, BooleanSupplier stopped,
            @Nullable Killer killer) {
        this.target = target;
        this.caller = caller;
        this.mix = target.mix(callers);
        this.clocks = clocks;
        this.watcher = watcher;
        this.stopped = stopped;
        this.killer = killer;
    }

    /// Tortures for that long and audits.
    ///
    /// @param seed the same one makes the same requests and faults, in the same order for each key
    public Report run(Duration time, long seed) throws InterruptedException {
        Report report = Report.NOTHING;
        for (int round = 0; report.unaudited() == null && (round == 0 || goesOn(report, time)); round++) {
            report = report.and(round(time.minus(report.load()), seed + round));
        }
        return report;
    }

    private boolean goesOn(Report soFar, Duration time) {
        return soFar.load().compareTo(time) < 0 && !stopped.getAsBoolean();
    }

    private Report round(Duration time, long seed) throws InterruptedException {
        Witness witness = new Witness();
        Load load = new Load(target::gateways, target.path(), caller, witness, mix, seed, clocks);
        Duration took = Duration.ZERO;
        try {
            if (killer != null) {
                killer.revive();
            }
            long before = reach(() -> Effects.total(caller, target.sandbox()));
            long begun = clocks.nanos();
            load(load, witness, time, begun);
            took = Duration.ofNanos(clocks.nanos() - begun);
            if (killer != null) {
                watcher.says("Kills of the gateway: " + killer.kills() + ".");
                killer.revive();
            }
            return audit(load, witness, took, before);
        } catch (IOException e) {
            return unaudited(witness, took, String.valueOf(e.getMessage()));
        }
    }

    private void load(Load load, Witness witness, Duration time, long begun)
            throws IOException, InterruptedException {
        List<Thread> aside = new ArrayList<>();
        aside.add(Thread.ofVirtual().start(() -> tick(load, witness, begun)));
        if (killer != null) {
            aside.add(Thread.ofVirtual().start(() -> kill(killer)));
        }
        try {
            load.run(keys -> keys < KEYS_A_ROUND && clocks.nanos() - begun < time.toNanos()
                    && !stopped.getAsBoolean() && killing == null);
        } finally {
            for (Thread each : aside) {
                each.interrupt();
                each.join();
            }
        }
        IOException trouble = killing;
        if (trouble != null) {
            throw trouble;
        }
    }

    private void kill(Killer killer) {
        try {
            killer.kill();
        } catch (IOException e) {
            killing = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tick(Load load, Witness witness, long begun) {
        try {
            while (true) {
                clocks.sleep(TICK);
                watcher.ticks(Duration.ofNanos(clocks.nanos() - begun), load.ended(), witness.kinds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Report audit(Load load, Witness witness, Duration took, long before)
            throws IOException, InterruptedException {
        if (witness.keys().stream().flatMap(key -> witness.told(key).stream()).allMatch(Told::silent)) {
            return unaudited(witness, took, "no gateway said anything of any key");
        }
        Map<String, Ending> endings = endings(load, new HashSet<>(witness.keys()));
        watcher.says("Auditing " + witness.keys().size() + " keys.");
        Effects effects = reach(() -> Effects.readSince(caller, target.sandbox(), before));
        Map<String, Long> states = new TreeMap<>();
        long sum = 0;
        for (String key : witness.keys()) {
            states.merge(endings.getOrDefault(key, Ending.NONE).toString(), 1L, Long::sum);
            sum += target.effects(effects, key);
        }
        List<Witness.Finding> findings = witness.findings(key -> target.effects(effects, key), endings);
        return new Report(took, witness.keys().size(), witness.kinds(), states, sum, findings, null);
    }

    /// Once every lease has ended and every key was repeated. What the repeats claimed must end, too.
    private Map<String, Ending> endings(Load load, Set<String> keys) throws IOException, InterruptedException {
        Map<String, Ending> endings = Map.of();
        for (int i = 0; i < LOOKS && (i == 0 || endings.values().stream().anyMatch(Ending::isClaimed)); i++) {
            Duration wait = target.lease().plus(AFTER_LEASES);
            watcher.says("Waiting " + wait.toSeconds() + "s, until every lease has ended.");
            clocks.sleep(wait);
            watcher.says("Repeating every key.");
            load.repeatAll();
            endings = reach(() -> anywhere(keys));
        }
        return endings;
    }

    private Map<String, Ending> anywhere(Set<String> keys) throws IOException, InterruptedException {
        List<IOException> failures = new ArrayList<>();
        for (URI gateway : target.gateways()) {
            try {
                return Endings.read(caller, gateway, keys);
            } catch (IOException e) {
                failures.add(e);
            }
        }
        throw failures.getFirst();
    }

    private interface Look<T> {
        T look() throws IOException, InterruptedException;
    }

    private <T> T reach(Look<T> look) throws IOException, InterruptedException {
        long begun = clocks.nanos();
        while (true) {
            try {
                return look.look();
            } catch (IOException e) {
                if (clocks.nanos() - begun > PATIENCE.toNanos()) {
                    throw e;
                }
                clocks.sleep(PAUSE);
            }
        }
    }

    private static Report unaudited(Witness witness, Duration took, String why) {
        return new Report(took, witness.keys().size(), witness.kinds(), Map.of(), 0, List.of(), why);
    }
}

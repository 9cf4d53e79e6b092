package dev.latchkey.gateway;

import dev.latchkey.protocol.Retention;
import dev.latchkey.protocol.Route;
import dev.latchkey.protocol.SentAs;
import dev.latchkey.protocol.Statuses;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// What a run is about, drawn by its seed.
///
/// @param keys how many
/// @param calls how many, besides those that are made again
/// @param deduplicates the downstream's window; null: it does not
/// @param resend whether keys in doubt are forwarded again all the same: at least once by choice
/// @param lookup whether the downstream can be asked
/// @param operator whether somebody gives verdicts
/// @param erases whether somebody erases
/// @param retention how long things are kept
/// @param trouble percent of the ledger's operations that go wrong
/// @param crashes whether replicas die
/// @param stalls how many steps a replica makes before it stops for a while; 0: it does not
/// @param clocks which clocks are wrong
/// @param standby what the ledger's commits wait for
/// @param rollout whether fresh replicas send the key in another field
record Scenario(
        int keys, int calls, @Nullable Duration deduplicates, boolean resend, boolean lookup, boolean operator,
        boolean erases, Retention retention, int trouble, boolean crashes, int stalls, Wrong clocks,
        Commits standby, boolean rollout) {

    static final Duration SETTLE_DELAY = Duration.ofMinutes(5);
    private static final Duration KEEP_FREED = Duration.ofMinutes(15);
    static final Duration SHORT_WINDOW = Duration.ofMinutes(8);

    /// Which clocks are wrong. One kind in a run: with all of them wrong at once there is no time to go by.
    enum Wrong {
        /// Each replica's wall clock by some seconds.
        HARDLY,
        /// Wall clocks jump, forward and back.
        WALL_JUMPS,
        /// The ledger's clock jumps forward.
        LEDGER_JUMPS,
        /// Machines are suspended: their monotonic clocks stand still, their wall clocks go on.
        SUSPENDED
    }

    /// What the ledger's commits wait for.
    enum Commits {
        /// One server, which loses nothing.
        ALONE,
        /// A standby. While it is away commits wait, unseen by others; a failover loses what waits.
        WAIT,
        /// The same, but some waits are cut short on the primary: then others see what a failover will lose.
        CUT_SHORT
    }

    /// Draws one, with what is needed to miss the missing guard.
    static Scenario draw(Random random, Guard missing) {
        return missing == Guard.NONE ? draw(random) : Without.draw(random, missing);
    }

    private static Scenario draw(Random random) {
        boolean deduplicates = random.nextInt(3) == 0;
        boolean resend = !deduplicates && random.nextInt(10) == 0;
        Wrong[] clocks = {
            Wrong.HARDLY, Wrong.HARDLY, Wrong.HARDLY, Wrong.WALL_JUMPS, Wrong.LEDGER_JUMPS, Wrong.SUSPENDED
        };
        Wrong wrong = clocks[random.nextInt(clocks.length)];
        boolean expires = wrong != Wrong.LEDGER_JUMPS && random.nextInt(4) == 0;
        boolean shortWindow = random.nextBoolean() || expires;
        int commits = random.nextInt(10);
        return new Scenario(
                1 + random.nextInt(3), 4 + random.nextInt(12),
                !deduplicates ? null : shortWindow ? SHORT_WINDOW : Duration.ofHours(24), resend,
                !expires && random.nextBoolean(), random.nextBoolean(), random.nextInt(5) == 0,
                expires ? quick(random) : Retention.usual(), random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(8),
                random.nextBoolean(), List.of(0, 0, 250, 40).get(random.nextInt(4)), wrong,
                commits < 6 ? Commits.ALONE : commits < 9 ? Commits.WAIT : Commits.CUT_SHORT, random.nextInt(8) == 0);
    }

    /// An entry that goes stays longer than the downstream remembers, and than anything is on its way.
    static Retention quick(Random random) {
        return new Retention(
                Duration.ofMinutes(1 + random.nextInt(8)), Duration.ofMinutes(12),
                Duration.ofMinutes(1 + random.nextInt(4)));
    }

    /// For how long a replica stops, at most.
    static Duration longestStall(Guard missing) {
        return missing == Guard.NONE ? Duration.ofMinutes(7) : Duration.ofMinutes(15);
    }

    /// How long what is freed stays: as long as the downstream remembers, and longer than anything is on its way.
    Duration keepFreed() {
        return deduplicates == null || deduplicates.compareTo(KEEP_FREED) < 0 ? KEEP_FREED : deduplicates;
    }

    Route route(String keyHeader) {
        return new Route(
                "payments", Replicas.TIMEOUT, Replicas.MARGIN, deduplicates, resend, lookup, true,
                SentAs.of("http://downstream", "derived", keyHeader, "bare"), Statuses.usual(), retention);
    }
}

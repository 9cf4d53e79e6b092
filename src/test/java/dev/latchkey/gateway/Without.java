package dev.latchkey.gateway;

import dev.latchkey.protocol.Retention;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// Scenarios in which a missing guard soon matters.
final class Without {

    private Without() {}

    static Scenario draw(Random random, Guard missing) {
        boolean reforwards = switch (missing) {
            case REFORWARD_IS_NOT_RELEASED, REFORWARD_IS_SETTLED_BY_SUCCESS, DEDUPLICATION_WINDOW -> true;
            default -> false;
        };
        boolean expires = switch (missing) {
            case PURGE_LOOKS_AGAIN, CACHE_EXPIRES, REJECTIONS_NOT_CACHED, LOSER_LEAVES_THE_RESPONSE,
                    CORRECTION_SURVIVES -> true;
            default -> false;
        };
        boolean fewCalls = missing == Guard.DEDUPLICATION_WINDOW || missing == Guard.RELEASED_UNTIL_GONE;
        @Nullable
        Duration window = reforwards ? Scenario.SHORT_WINDOW : null;
        return new Scenario(
                fewCalls ? 3 : 1, fewCalls ? 5 : 20, window, false,
                missing == Guard.SETTLER_WATCHES || missing == Guard.VERDICT_BOUND_TO_ATTEMPT,
                !fewCalls && missing != Guard.SETTLER_WATCHES, missing == Guard.ERASED_ENTRY_STAYS,
                expires ? Scenario.quick(random) : Retention.usual(), 4 + random.nextInt(8),
                missing == Guard.SWEEP_LOOKS_AGAIN, stalls(missing), clocks(missing), commits(missing), false);
    }

    private static int stalls(Guard missing) {
        return switch (missing) {
            case FENCED_BY_STATE, VERDICT_BOUND_TO_ATTEMPT, DOUBT_IS_REMEMBERED, SEND_WINDOW_BY_WALL -> 25;
            default -> 0;
        };
    }

    private static Scenario.Wrong clocks(Guard missing) {
        return switch (missing) {
            case SETTLER_WATCHES, VERDICT_BY_TWO_CLOCKS -> Scenario.Wrong.LEDGER_JUMPS;
            case SEND_WINDOW_BY_WALL -> Scenario.Wrong.SUSPENDED;
            case SEND_WINDOW_BY_MONOTONIC -> Scenario.Wrong.WALL_JUMPS;
            default -> Scenario.Wrong.HARDLY;
        };
    }

    private static Scenario.Commits commits(Guard missing) {
        return switch (missing) {
            case CONFIRMED_BY_WRITE -> Scenario.Commits.CUT_SHORT;
            case REPLICATED -> Scenario.Commits.WAIT;
            default -> Scenario.Commits.ALONE;
        };
    }
}

package dev.latchkey.model;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.Refusal;
import org.jspecify.annotations.Nullable;

/// What callers are told, and whether it may be told after what others were told before: only what was called recorded
/// binds, and stays the answer until a correction or its expiry; that nothing took effect must be so. Each method tells one
/// call and returns what is wrong with it; null: nothing.
final class Answers {

    private final Model model;

    Answers(Model model) {
        this.model = model;
    }

    /// A recorded response, fresh or replayed.
    @Nullable
    String recorded(World world, int call, int status, int response) {
        Caller caller = world.callers[call];
        if (caller.answered) {
            return null;
        }
        caller.answered = true;
        int body = model.body(call);
        int code = code(status, response);
        if (caller.era != world.era) {
            return null;
        }
        if (world.told[body] < 0) {
            world.told[body] = code;
        } else if (world.told[body] != code) {
            return "two callers with one request were told different recorded answers: " + text(world.told[body])
                    + " and " + text(code);
        }
        boolean denies = status >= 400 && status < 500 && !(status == 409 && model.scenario.recordsCopies);
        return denies && world.effects > 0
                ? "a caller was told " + status + " as recorded, though the effect had happened"
                : null;
    }

    /// A response that is not recorded.
    ///
    /// @param looked whether the ledger was asked before it was told
    @Nullable
    String passing(World world, int call, int status, boolean looked) {
        return open(world, call, "its response " + status + ", not recorded", looked);
    }

    /// A refusal.
    @Nullable
    String refused(World world, int call, Refusal refusal) {
        Caller caller = world.callers[call];
        if (caller.answered) {
            return null;
        }
        String what = refusal.status() + " " + refusal.problem().slug();
        boolean denies = refusal.forwarded() == Refusal.Forwarded.NO || refusal.newKeySafe();
        if (denies && (world.effects > 0 || world.flights())) {
            caller.answered = true;
            return "a caller was told " + what + ", which denies every effect, while one happened or was on its way";
        }
        if (refusal.problem() == Problem.RESPONSE_GONE) {
            caller.answered = true;
            boolean kept = world.row != null && !world.row.erased() && world.told[model.body(call)] >= 0
                    && caller.era == world.era;
            return kept ? "a recorded response is gone that nobody erased" : null;
        }
        boolean timeout = refusal.status() == 504;
        return open(world, call, what, !timeout);
    }

    /// Nothing is known of the key: the ledger is away.
    void silent(World world, int call) {
        world.callers[call].answered = true;
    }

    private @Nullable String open(World world, int call, String what, boolean looked) {
        Caller caller = world.callers[call];
        if (caller.answered) {
            return null;
        }
        caller.answered = true;
        int told = world.told[model.body(call)];
        return looked && told >= 0 && caller.era == world.era
                ? "a caller was told " + what + " after another was told " + text(told) + " as recorded"
                : null;
    }

    static int code(int status, int response) {
        return response * 1000 + status;
    }

    private static String text(int code) {
        return code % 1000 + " of " + Rules.name(code / 1000);
    }
}

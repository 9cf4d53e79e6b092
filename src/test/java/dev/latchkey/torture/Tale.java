package dev.latchkey.torture;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A story of one key, told line by line, and how it is judged. Each call comes after the one before, unless times are given.
final class Tale {

    static final String KEY = "k";
    private static final String RESPONSE = "{\"id\":1}";

    private final Witness witness = new Witness();
    private long now;

    /// Recorded by this call's own forward.
    Tale fresh(String request, int status) {
        return hears(request, status, RESPONSE, "recorded", false, "", "");
    }

    Tale replay(String request, int status) {
        return replay(request, status, RESPONSE);
    }

    Tale replay(String request, int status, String body) {
        return hears(request, status, body, "recorded", true, "", "");
    }

    /// A response that binds nobody.
    Tale unbound(String request, int status, String state) {
        return hears(request, status, RESPONSE, state, false, "", "");
    }

    Tale refused(String request, int status, String problem, String state, String forwarded) {
        return hears(request, status, "{}", state, false, problem, forwarded);
    }

    Tale mismatch(String request, String state) {
        return refused(request, 422, "key-reused", state, state.equals("recorded") ? "yes" : "maybe");
    }

    Tale doubt(String request) {
        return refused(request, 409, "outcome-unknown", "in-doubt", "maybe");
    }

    Tale timeout(String request) {
        return refused(request, 504, "outcome-unknown", "claimed", "maybe");
    }

    Tale unavailable(String request) {
        return refused(request, 503, "ledger-unavailable", "", "maybe");
    }

    Tale notSent(String request) {
        return refused(request, 502, "not-forwarded", "released", "no");
    }

    Tale silence(String request) {
        now += 2;
        witness.hearsNothing(KEY, request, now - 1);
        return this;
    }

    /// The calls that follow are under way together with the one before.
    Tale meanwhile() {
        now -= 2;
        return this;
    }

    private Tale hears(
            String request, int status, String body, String state, boolean replayed, String problem, String forwarded) {
        now += 2;
        witness.hears(new Told(
                KEY, request, status, body, state, replayed, problem, forwarded, false, now - 1, now));
        return this;
    }

    List<String> ends(String state, @Nullable Integer status, int effects) {
        return ends(new Ending(state, status, 1), effects);
    }

    List<String> ends(Ending ending, int effects) {
        return witness.audit(key -> effects, ending.isNone() ? Map.of() : Map.of(KEY, ending));
    }
}

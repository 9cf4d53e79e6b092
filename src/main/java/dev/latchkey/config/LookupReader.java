package dev.latchkey.config;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Turns a route's `lookup` into its record.
final class LookupReader {

    private LookupReader() {}

    /// Null where it cannot be made; that is reported.
    static @Nullable LookupSettings read(Section section, Duration settleDelay) {
        String path = section.required(
                "path",
                "/" + LookupSettings.KEY,
                text -> text,
                "write where to ask, as in /payments?idempotency_key={downstream-key}");
        LookupRule executed = null;
        LookupResponse response = null;
        if (section.has("executed")) {
            Section answer = section.section("executed");
            response = answer.has("response") ? response(answer.section("response")) : null;
            executed = rule(answer);
        }
        LookupRule notExecuted = section.has("not-executed") ? rule(section.section("not-executed")) : null;
        Duration after = section.read("after", settleDelay, Values::duration);
        return make(section, path, executed, response, notExecuted, after);
    }

    private static @Nullable LookupSettings make(
            Section section,
            String path,
            @Nullable LookupRule executed,
            @Nullable LookupResponse response,
            @Nullable LookupRule notExecuted,
            Duration after) {
        return section.<@Nullable LookupSettings>checked(
                () -> new LookupSettings(path, executed, response, notExecuted, after), () -> null);
    }

    private static LookupRule rule(Section section) {
        Set<Integer> status = new HashSet<>(section.list("status", Values::whole));
        String where = section.textOrNull("where");
        String unless = section.textOrNull("unless");
        return section.checked(
                () -> new LookupRule(status, where, unless),
                () -> new LookupRule(Set.of(200), section.has("where") ? "/where" : null, null));
    }

    private static LookupResponse response(Section section) {
        int status = section.required("status", 200, Values::whole, "write the status that repeats are to get");
        String body = section.textOrNull("body");
        return section.checked(() -> new LookupResponse(status, body), () -> new LookupResponse(200, null));
    }
}

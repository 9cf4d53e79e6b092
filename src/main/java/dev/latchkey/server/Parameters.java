package dev.latchkey.server;

import dev.latchkey.http.Problem;
import dev.latchkey.protocol.EntryId;
import dev.latchkey.protocol.State;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The query of a list, read strictly: an unknown, repeated or unreadable parameter is refused, with what is allowed.
final class Parameters {

    private static final int MOST = 1000;
    private static final int USUAL = 100;

    private final Map<String, String> values;

    private Parameters(Map<String, String> values) {
        this.values = values;
    }

    /// Reads a query.
    ///
    /// @param query undecoded; null: none
    /// @throws Refusing for what is not allowed
    static Parameters of(@Nullable String query, String... allowed) {
        Map<String, String> values = new LinkedHashMap<>();
        TreeSet<String> names = new TreeSet<>(Arrays.asList(allowed));
        for (String pair : query == null || query.isEmpty() ? new String[0] : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
            if (!names.contains(name)) {
                throw refusing("A parameter is unknown. Allowed: " + String.join(", ", names) + ".");
            }
            if (values.put(name, value) != null) {
                throw refusing("The parameter " + name + " is there twice; once is allowed.");
            }
        }
        values.values().removeIf(String::isEmpty);
        return new Parameters(values);
    }

    @Nullable
    String text(String name) {
        return values.get(name);
    }

    @Nullable
    State state() {
        String value = values.get("state");
        if (value == null) {
            return null;
        }
        return Arrays.stream(State.values())
                .filter(state -> state.wireName().equals(value))
                .findFirst()
                .orElseThrow(() -> refusing("The state is unknown. Allowed: "
                        + Arrays.stream(State.values()).map(State::wireName).collect(Collectors.joining(", ")) + "."));
    }

    @Nullable
    Instant since() {
        String value = values.get("since");
        try {
            return value == null ? null : OffsetDateTime.parse(value).toInstant();
        } catch (DateTimeParseException _) {
            throw refusing("since is no time. Allowed: RFC 3339, such as 2026-01-04T09:00:00Z (a plus sign is %2B).");
        }
    }

    int limit() {
        String value = values.get("limit");
        if (value == null) {
            return USUAL;
        }
        int limit = value.matches("\\d{1,4}") ? Integer.parseInt(value) : 0;
        if (limit < 1 || limit > MOST) {
            throw refusing("limit is out of range. Allowed: 1 to " + MOST + ".");
        }
        return limit;
    }

    /// The entry that a path names.
    ///
    /// @throws Refusing for what is no entry id
    static EntryId entryId(String text) {
        return EntryId.parse(text).orElseThrow(Parameters::noSuchEntry);
    }

    static Refusing noSuchEntry() {
        return new Refusing(Problem.NO_SUCH_ENTRY,
                "There is no such entry. An entry id is 36 characters, as in entry_id.");
    }

    static Refusing refusing(String detail) {
        return new Refusing(Problem.REQUEST_INVALID, detail);
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException _) {
            throw refusing("The query has a percent sign without two hexadecimal digits after it.");
        }
    }
}

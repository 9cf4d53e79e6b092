package dev.latchkey.config;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// `routes[].lookup`: how to ask the downstream what became of a key.
///
/// @param path relative to the downstream's URL, with `{downstream-key}` or `{key}` in it
/// @param executed what means that it was; null: no answer means that
/// @param response what is then recorded; null: only that it was executed
/// @param notExecuted what means that it was not; null: no answer means that
/// @param after from the lease's end to the first look
public record LookupSettings(
        String path,
        @Nullable LookupRule executed,
        @Nullable LookupResponse response,
        @Nullable LookupRule notExecuted,
        Duration after) {

    public static final String DOWNSTREAM_KEY = "{downstream-key}";
    public static final String KEY = "{key}";

    public LookupSettings {
        new Checks()
                .that(
                        path.contains(DOWNSTREAM_KEY) || path.contains(KEY),
                        "path",
                        "the path names no key, so every answer would be the same; write {downstream-key} or {key} in it")
                .add("path", Spelling.path(path.replace(DOWNSTREAM_KEY, "k").replace(KEY, "k")))
                .that(
                        executed != null || notExecuted != null,
                        "",
                        "no answer means anything; write executed, not-executed or both")
                .that(
                        executed == null || notExecuted == null || !executed.overlaps(notExecuted),
                        "not-executed",
                        "one answer would mean both; tell them apart by status, where or unless")
                .atLeast(after, Duration.ZERO, "after")
                .done();
    }
}

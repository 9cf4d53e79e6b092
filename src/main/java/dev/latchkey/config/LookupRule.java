package dev.latchkey.config;

import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Which answers to a lookup mean one thing.
///
/// @param status one of these
/// @param where and something other than null is there in the JSON body; null: no such condition
/// @param unless and the body is JSON, and nothing is there or null is; null: no such condition
public record LookupRule(Set<Integer> status, @Nullable String where, @Nullable String unless) {

    public LookupRule {
        status = Set.copyOf(status);
        Checks checks = new Checks()
                .that(!status.isEmpty(), "status", "no status; write the statuses that mean this, as in [200]")
                .add("where", where == null ? null : Spelling.pointer(where))
                .add("unless", unless == null ? null : Spelling.pointer(unless))
                .that(where == null || unless == null, "unless",
                        "where and unless cannot both hold; write one of them");
        new TreeSet<>(status).forEach(each -> checks.add("status", Spelling.status(each)));
        checks.done();
    }

    /// Whether one answer could satisfy both although nothing in its body tells them apart.
    boolean overlaps(LookupRule other) {
        boolean sameStatus = status.stream().anyMatch(other.status::contains);
        return sameStatus && same(where, other.where) && same(unless, other.unless);
    }

    private static boolean same(@Nullable String one, @Nullable String other) {
        return one == null ? other == null : one.equals(other);
    }
}

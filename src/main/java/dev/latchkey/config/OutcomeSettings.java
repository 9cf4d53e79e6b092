package dev.latchkey.config;

import java.util.Set;
import java.util.TreeSet;

/// `routes[].outcomes`: statuses that the route reads otherwise than the contract does.
///
/// @param released the downstream's word that it did nothing
/// @param recorded settled
/// @param inDoubt nobody knows
public record OutcomeSettings(Set<Integer> released, Set<Integer> recorded, Set<Integer> inDoubt) {

    public OutcomeSettings {
        released = Set.copyOf(released);
        recorded = Set.copyOf(recorded);
        inDoubt = Set.copyOf(inDoubt);
        Checks checks = new Checks();
        checkStatuses(released, "released", checks);
        checkStatuses(recorded, "recorded", checks);
        checkStatuses(inDoubt, "in-doubt", checks);
        checkApart(released, recorded, "recorded", "released", checks);
        checkApart(released, inDoubt, "in-doubt", "released", checks);
        checkApart(recorded, inDoubt, "in-doubt", "recorded", checks);
        checks.done();
    }

    public static OutcomeSettings defaults() {
        return new OutcomeSettings(Set.of(), Set.of(), Set.of());
    }

    private static void checkStatuses(Set<Integer> statuses, String name, Checks checks) {
        new TreeSet<>(statuses).forEach(status -> checks.add(name, Spelling.status(status)));
    }

    private static void checkApart(
            Set<Integer> one, Set<Integer> other, String name, String otherName, Checks checks) {
        Set<Integer> both = new TreeSet<>(one);
        both.retainAll(other);
        both.forEach(status -> checks.that(
                false, name, status + " is listed under " + otherName + ", too; a status has one meaning"));
    }
}

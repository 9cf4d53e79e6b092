package dev.latchkey.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects what is wrong with a record, so that its constructor reports all of it. For one thread.
final class Checks {

    private final List<Fault> faults = new ArrayList<>();

    Checks that(boolean holds, String name, String otherwise) {
        if (!holds) {
            faults.add(new Fault(name, otherwise));
        }
        return this;
    }

    /// Adds what a check of one value found; null: nothing.
    Checks add(String name, @Nullable String complaint) {
        return that(complaint == null, name, complaint == null ? "" : complaint);
    }

    Checks between(long value, long least, long most, String name) {
        return that(
                value >= least && value <= most,
                name,
                value + " is out of range; write a whole number from " + least + " to " + most);
    }

    Checks sizeBetween(long value, long least, long most, String name) {
        return that(
                value >= least && value <= most,
                name,
                SizeText.format(value) + " is out of range; write a size from " + SizeText.format(least) + " to "
                        + SizeText.format(most));
    }

    Checks atLeast(Duration value, Duration least, String name) {
        return that(
                value.compareTo(least) >= 0,
                name,
                DurationText.format(value) + " is too short; write at least " + DurationText.format(least));
    }

    Checks positive(Duration value, String name) {
        return atLeast(value, Duration.ofMillis(1), name);
    }

    /// @throws BadSettings with everything that did not hold
    void done() {
        if (!faults.isEmpty()) {
            throw new BadSettings(faults);
        }
    }
}

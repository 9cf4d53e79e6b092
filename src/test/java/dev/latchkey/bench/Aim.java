package dev.latchkey.bench;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a figure should come to. Immutable.
///
/// @param value the bound
/// @param atLeast whether more is better
/// @param check beyond this the benchmark fails; null: it fails nothing. The aim itself, or, for an aim that is known to
///     be missed, what it has come to with some room
public record Aim(double value, boolean atLeast, @Nullable Double check) {

    /// How far off even a hurried measurement on a busy machine is not.
    private static final double GROSS = 2;

    /// Bytes of WAL a call: decision 18 says why it comes to more than its aim. The check leaves room for the machine.
    public static final Aim WAL = atMost(1_000).checkedAt(1_600);

    /// For the report only: neighbours move it.
    public static Aim atLeast(double value) {
        return new Aim(value, true, null);
    }

    /// For the report only: neighbours move it.
    public static Aim atMost(double value) {
        return new Aim(value, false, null);
    }

    /// Neighbours move it less than they move throughput: where not one round meets it, the benchmark fails.
    public Aim checked() {
        return checkedAt(value);
    }

    /// The same, and it is missed as things stand: to get worse than that fails the benchmark.
    public Aim checkedAt(double bound) {
        return new Aim(value, atLeast, bound);
    }

    boolean met(double median) {
        return atLeast ? median >= value : median <= value;
    }

    /// Whether that must fail.
    boolean fails(double best, boolean quick) {
        if (check == null) {
            return false;
        }
        double slack = quick ? GROSS : 1;
        return atLeast ? !(best >= check / slack) : !(best <= check * slack);
    }

    @Override
    public String toString() {
        return (atLeast ? "≥ " : "≤ ") + Figure.text(value).toLowerCase(Locale.ROOT);
    }
}

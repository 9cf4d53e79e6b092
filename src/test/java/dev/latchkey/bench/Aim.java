package dev.latchkey.bench;

import java.util.Locale;

/// What a figure should come to. Immutable.
///
/// @param value the bound
/// @param atLeast whether more is better
/// @param check whether the benchmark fails where it is missed
public record Aim(double value, boolean atLeast, boolean check) {

    /// How far off even a hurried measurement on a busy machine is not.
    private static final double GROSS = 2;

    /// For the report only: neighbours move it.
    public static Aim atLeast(double value) {
        return new Aim(value, true, false);
    }

    /// For the report only: neighbours move it.
    public static Aim atMost(double value) {
        return new Aim(value, false, false);
    }

    /// Neighbours hardly move it: a miss fails the benchmark.
    public Aim checked() {
        return new Aim(value, atLeast, true);
    }

    boolean met(double median) {
        return atLeast ? median >= value : median <= value;
    }

    /// Whether that must fail.
    boolean fails(double median, boolean quick) {
        if (!check) {
            return false;
        }
        double slack = quick ? GROSS : 1;
        return atLeast ? !(median >= value / slack) : !(median <= value * slack);
    }

    @Override
    public String toString() {
        return (atLeast ? "≥ " : "≤ ") + Figure.text(value).toLowerCase(Locale.ROOT);
    }
}

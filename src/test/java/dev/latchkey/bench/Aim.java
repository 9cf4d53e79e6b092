package dev.latchkey.bench;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a figure should come to, and what it must. Immutable.
///
/// @param value the aim, for the median; null: there is none, only a check
/// @param atLeast whether more is better
/// @param check where the median is beyond this, the benchmark fails; null: it fails nothing. It leaves room for what the
///     machine does beside it, and lies beyond the aim where that is known to be missed
public record Aim(@Nullable Double value, boolean atLeast, @Nullable Double check) {

    /// How far off even a hurried measurement on a busy machine is not.
    private static final double GROSS = 2;

    /// Bytes of WAL a call: decision 18 says why it comes to more than its aim.
    public static final Aim WAL = atMost(1_000).checkedAt(1_600);

    /// For the report only: neighbours move it.
    public static Aim atLeast(double value) {
        return new Aim(value, true, null);
    }

    /// For the report only: neighbours move it.
    public static Aim atMost(double value) {
        return new Aim(value, false, null);
    }

    /// No aim: to cost more than that fails the benchmark.
    public static Aim checkedAtMost(double bound) {
        return new Aim(null, false, bound);
    }

    /// Neighbours move it less than they move throughput: to miss that bound fails the benchmark.
    public Aim checkedAt(double bound) {
        return new Aim(value, atLeast, bound);
    }

    /// Whether that must fail.
    boolean fails(double median, boolean quick) {
        if (check == null) {
            return false;
        }
        double slack = quick ? GROSS : 1;
        return atLeast ? !(median >= check / slack) : !(median <= check * slack);
    }

    /// `met`, `missed`, **FAILED**; `held` where there is a check and no aim.
    String verdict(double median, boolean quick) {
        if (fails(median, quick)) {
            return "**FAILED**";
        }
        if (value == null) {
            return "held";
        }
        return (atLeast ? median >= value : median <= value) ? "met" : "missed";
    }

    /// `≤ 0.30`; empty: none.
    String shownAim() {
        return shown(value);
    }

    /// The same of the check.
    String shownCheck() {
        return shown(check);
    }

    private String shown(@Nullable Double bound) {
        return bound == null ? "" : (atLeast ? "≥ " : "≤ ") + Figure.text(bound).toLowerCase(Locale.ROOT);
    }
}

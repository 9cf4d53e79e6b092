package dev.latchkey.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// One row of the report: what each round gave. Immutable.
///
/// @param name what was measured
/// @param unit of the values; empty for a ratio
/// @param rounds a value of each round, in their order; a ratio is made in each round, never of two medians
/// @param aim what the median should come to, and what it must; null: neither
/// @param note what helps to read it; may be empty
public record Figure(String name, String unit, List<Double> rounds, @Nullable Aim aim, String note) {

    /// @throws IllegalArgumentException where a round gave nothing that is a number: no figure is made of that
    public Figure {
        rounds = List.copyOf(rounds);
        if (rounds.isEmpty() || rounds.stream().anyMatch(it -> !Double.isFinite(it))) {
            throw new IllegalArgumentException(name + ": " + rounds);
        }
    }

    /// A ratio without an aim or a note.
    public static Figure ratio(String name, List<Double> rounds) {
        return new Figure(name, "", rounds, null, "");
    }

    /// Of each round: what one side gave, divided by what the other gave.
    public static List<Double> ratios(List<Double> side, List<Double> by) {
        return IntStream.range(0, side.size()).mapToObj(i -> side.get(i) / by.get(i)).toList();
    }

    /// A measured amount without an aim or a note.
    public static Figure of(String name, String unit, List<Double> rounds) {
        return new Figure(name, unit, rounds, null, "");
    }

    public Figure aiming(Aim at) {
        return new Figure(name, unit, rounds, at, note);
    }

    public Figure noting(String text) {
        return new Figure(name, unit, rounds, aim, text);
    }

    public double median() {
        return quantile(0.5);
    }

    public double least() {
        return quantile(0);
    }

    public double most() {
        return quantile(1);
    }

    /// Between the two nearest where it falls between them.
    double quantile(double part) {
        List<Double> sorted = rounds.stream().sorted().toList();
        double place = part * (sorted.size() - 1);
        int below = (int) Math.floor(place);
        int above = (int) Math.ceil(place);
        return sorted.get(below) + (place - below) * (sorted.get(above) - sorted.get(below));
    }

    /// Judged by its median, as its aim is.
    boolean fails(boolean quick) {
        return aim != null && aim.fails(median(), quick);
    }

    /// This one with the rounds of another try behind its own.
    Figure with(Figure again) {
        List<Double> all = new ArrayList<>(rounds);
        all.addAll(again.rounds);
        return new Figure(name, unit, all, aim, note);
    }

    /// `0.71`, or `5,213 calls/s`.
    String shown(double value) {
        return unit.isEmpty() ? text(value) : text(value) + " " + unit;
    }

    /// `1 caller`, `8 callers`.
    static String callers(int count) {
        return count + (count == 1 ? " caller" : " callers");
    }

    /// `0.69 – 0.74`.
    String spread() {
        return text(least()) + " – " + text(most());
    }

    /// With as many digits as say something.
    public static String text(double value) {
        double size = Math.abs(value);
        String format = size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f";
        return String.format(Locale.ROOT, format, value);
    }
}

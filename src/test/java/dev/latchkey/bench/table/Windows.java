package dev.latchkey.bench.table;

import dev.latchkey.bench.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/// How long calls took, in windows of equal length by when each was due: what is looked at for longer has more chances of a
/// hiccup, and so a worse tail, whatever it is. Who opens windows is one thread; calls may end in any.
final class Windows {

    private final long length;
    private final List<Histogram> open = new ArrayList<>();

    Windows(Duration length) {
        this.length = length.toNanos();
    }

    /// Where a call belongs.
    ///
    /// @param due when, in nanoseconds after the first one was; never before what was asked for last
    Histogram at(long due) {
        while (open.size() <= due / length) {
            open.add(new ConcurrentHistogram(3));
        }
        return open.getLast();
    }

    /// Those that were open for their whole length; where none was, what there is.
    ///
    /// @param end when no further call came, in nanoseconds after the first one
    List<Histogram> whole(long end) {
        return open.subList(0, Math.clamp(end / length, Math.min(1, open.size()), open.size()));
    }

    /// That percentile of the middle one of these windows, in milliseconds.
    static double millis(List<Histogram> windows, double percentile) {
        return Figure.of(
                "p" + percentile, "ms",
                windows.stream().map(it -> it.getValueAtPercentile(percentile) / 1e6).toList()).median();
    }
}

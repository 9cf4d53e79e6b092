package dev.latchkey.bench.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class WindowsTest {

    private static final long SECOND = 1_000_000_000;
    private static final long MILLI = 1_000_000;

    private final Windows windows = new Windows(Duration.ofSeconds(2));

    @Test
    void aCallBelongsToTheWindowInWhichItWasDue() {
        Histogram first = windows.at(0);
        assertThat(windows.at(2 * SECOND - 1)).isSameAs(first);
        assertThat(windows.at(2 * SECOND)).isNotSameAs(first);
        assertThat(windows.whole(4 * SECOND)).hasSize(2);
    }

    @Test
    void aWindowThatWasCutShortIsLeftOut() {
        windows.at(0).recordValue(1);
        windows.at(3 * SECOND).recordValue(2);
        assertThat(windows.whole(4 * SECOND - 1)).hasSize(1);
        assertThat(windows.whole(4 * SECOND)).hasSize(2);
    }

    @Test
    void whatIsShorterThanAWindowCountsNevertheless() {
        windows.at(0).recordValue(1);
        assertThat(windows.whole(SECOND)).hasSize(1);
    }

    /// However long it is looked at: one bad window of seven is no worse than none of one.
    @Test
    void theTailIsThatOfTheMiddleWindow() {
        for (int i = 0; i < 7; i++) {
            windows.at(2 * i * SECOND).recordValue(i == 3 ? 900 * MILLI : 20 * MILLI);
        }
        assertThat(Windows.millis(windows.whole(14 * SECOND), 99)).isBetween(19.9, 20.1);
    }
}

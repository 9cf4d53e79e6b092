package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LanesTest {

    private final Lanes lanes = new Lanes(8);

    /// @return how many of them met all lanes open
    private int commits(int many, long micros) {
        int open = 0;
        for (int i = 0; i < many; i++) {
            open += lanes.open() > 1 ? 1 : 0;
            lanes.committed(TimeUnit.MICROSECONDS.toNanos(micros), 1);
        }
        return open;
    }

    @Test
    void oneIsOpenAtFirst() {
        assertThat(lanes.open()).isEqualTo(1);
    }

    @Test
    void slowCommitsOpenAllAndNoMoreForNearlyAllOfTheTime() {
        assertThat(commits(10_000, 3_000)).isGreaterThan(9_850);
        assertThat(lanes.open()).isBetween(1, 8);
    }

    @Test
    void onceCommitsAreQuickOneIsOpenFromTheNextLookOn() {
        commits(100, 3_000);
        commits(5_000, 300);

        assertThat(lanes.open()).isEqualTo(1);
        assertThat(commits(10_000, 300)).isZero();
    }

    @Test
    void commitsThatWaitForAProcessorNowAndThenOpenNone() {
        for (int i = 0; i < 200; i++) {
            commits(31, 9_000);
            commits(1, 300);
        }

        assertThat(lanes.open()).isEqualTo(1);
    }

    @Test
    void manyRowsAreNoSlowCommit() {
        for (int i = 0; i < 100; i++) {
            lanes.committed(TimeUnit.MICROSECONDS.toNanos(2_000), 256);
        }

        assertThat(lanes.open()).isEqualTo(1);
    }

    @Test
    void whatTheClosedLanesHadUnderWayDoesNotCount() {
        commits(32, 3_000);
        commits(4_096, 3_000);
        assertThat(lanes.open()).isEqualTo(1);

        commits(8, 100);
        commits(32, 3_000);

        assertThat(lanes.open()).isEqualTo(8);
    }

    @Test
    void oneAtMostStaysOne() {
        Lanes single = new Lanes(1);
        for (int i = 0; i < 100; i++) {
            single.committed(TimeUnit.SECONDS.toNanos(1), 1);
        }

        assertThat(single.open()).isEqualTo(1);
    }
}

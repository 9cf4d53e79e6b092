package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LanesTest {

    private static final int MOST = 8;

    private long now;
    private final Lanes lanes = new Lanes(MOST, () -> now);

    /// @param sharing how many of them the server writes at once where all lanes are open
    /// @return how many of them met all lanes open
    private int commits(int many, long micros, double sharing) {
        int open = 0;
        for (int i = 0; i < many; i++) {
            open += lanes.open() > 1 ? 1 : 0;
            long took = TimeUnit.MICROSECONDS.toNanos(micros);
            now += lanes.open() > 1 ? (long) (took / sharing) : took;
            lanes.committed(took, 1);
        }
        return open;
    }

    private int commits(int many, long micros) {
        return commits(many, micros, MOST);
    }

    @Test
    void oneIsOpenAtFirst() {
        assertThat(lanes.open()).isEqualTo(1);
    }

    @Test
    void slowCommitsOpenAllAndNoMoreForNearlyAllOfTheTime() {
        assertThat(commits(10_000, 3_000)).isGreaterThan(9_850);
        assertThat(lanes.open()).isBetween(1, MOST);
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
    void whereLessIsWrittenWithAllOfThemTheyCloseAfterAShortTry() {
        assertThat(commits(10_000, 3_000, 0.5)).isLessThan(10_000 / 2);
    }

    @Test
    void aPauseWhileTheyAreTriedDoesNotCloseThem() {
        commits(32 + MOST, 3_000);
        now += TimeUnit.SECONDS.toNanos(4);
        commits(64, 3_000);

        assertThat(commits(1_000, 3_000)).isEqualTo(1_000);
    }

    @Test
    void whereFewerCallByThenTheyOpenSoon() {
        commits(1_000, 3_000, 0.5);

        assertThat(commits(1_000, 3_000)).isGreaterThan(700);
    }

    @Test
    void whereAsMuchIsWrittenEitherWayTheyStayOpen() {
        assertThat(commits(10_000, 3_000, 1)).isGreaterThan(9_850);
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
        assertThat(lanes.open()).isEqualTo(MOST);
        int more = 0;
        for (; lanes.open() == MOST; more++) {
            commits(1, 3_000);
        }
        assertThat(more).isGreaterThan(4_096);

        commits(MOST, 100);
        commits(32, 3_000);

        assertThat(lanes.open()).isEqualTo(MOST);
    }

    @Test
    void oneAtMostStaysOne() {
        Lanes single = new Lanes(1, () -> now);
        for (int i = 0; i < 100; i++) {
            single.committed(TimeUnit.SECONDS.toNanos(1), 1);
        }

        assertThat(single.open()).isEqualTo(1);
    }
}

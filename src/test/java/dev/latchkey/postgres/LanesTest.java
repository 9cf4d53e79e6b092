package dev.latchkey.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LanesTest {

    private final Lanes lanes = new Lanes(8);

    private void commits(int many, long micros) {
        for (int i = 0; i < many; i++) {
            lanes.committed(TimeUnit.MICROSECONDS.toNanos(micros));
        }
    }

    @Test
    void oneIsOpenAtFirst() {
        assertThat(lanes.open()).isEqualTo(1);
    }

    @Test
    void slowCommitsOpenAllAndNoMore() {
        commits(1_000, 2_000);

        assertThat(lanes.open()).isEqualTo(8);
    }

    @Test
    void quickCommitsCloseAllButOne() {
        commits(1_000, 2_000);
        commits(1_000, 100);

        assertThat(lanes.open()).isEqualTo(1);
    }

    @Test
    void betweenTheTwoNothingMoves() {
        commits(32, 2_000);
        int open = lanes.open();

        commits(1_000, 700);

        assertThat(lanes.open()).isEqualTo(open).isGreaterThan(1);
    }

    @Test
    void commitsThatWaitForAProcessorNowAndThenOpenNone() {
        for (int i = 0; i < 200; i++) {
            commits(3, 9_000);
            commits(1, 300);
        }

        assertThat(lanes.open()).isEqualTo(1);
    }

    @Test
    void oneAtMostStaysOne() {
        Lanes single = new Lanes(1);
        for (int i = 0; i < 100; i++) {
            single.committed(TimeUnit.SECONDS.toNanos(1));
        }

        assertThat(single.open()).isEqualTo(1);
    }
}
